/// The pages about users.
extension ConsoleTemplate {
    static var userText: String {
        """
        {{<frame}}{{$main}}
        <dl class="facts">
        <div><dt>Since</dt><dd>{{#createdAt}}{{>time}}{{/createdAt}}</dd></div>
        <div><dt>Password</dt><dd>{{password}}</dd></div>
        {{#profile}}
        <div><dt>{{name}}</dt><dd>{{value}}</dd></div>
        {{/profile}}
        <div><dt>Policy</dt><dd><a href="{{policy}}">{{policyText}}</a></dd></div>
        </dl>
        <section aria-labelledby="devices">
        <h2 id="devices">Devices</h2>
        {{>devices}}
        </section>
        {{#hasJourneys}}
        <section aria-labelledby="journey-keys">
        <h2 id="journey-keys">Keys of journeys</h2>
        {{>journeyKeys}}
        </section>
        <section aria-labelledby="journey-sessions">
        <h2 id="journey-sessions">Sessions of journeys</h2>
        {{>journeySessions}}
        {{#.sessionEnd}}
        <ul class="actions">
        <li><a class="button grave" href="{{sessionEnd}}">End all…</a> <span>The user must log in again.</span></li>
        </ul>
        {{/.sessionEnd}}
        </section>
        {{/hasJourneys}}
        <section aria-labelledby="transactions">
        <h2 id="transactions">Transactions</h2>
        {{>transactions}}
        </section>
        <section aria-labelledby="events">
        <h2 id="events">Audit</h2>
        {{>events}}
        <p><a href="{{audit}}">All events of this user</a></p>
        </section>
        {{#mayExport}}
        <section aria-labelledby="data">
        <h2 id="data">Data</h2>
        <ul class="actions">
        <li><form method="post" action="{{export}}"><input type="hidden" name="form_token" value="{{formToken}}">\
        <input type="hidden" name="id" value="{{id}}"><button>Export</button></form> \
        <span>Everything that the server keeps about the user, as JSON.</span></li>
        {{#.deletion}}
        <li><a class="button grave" href="{{deletion}}">Delete…</a> <span>The user and everything about them.</span></li>
        {{/.deletion}}
        </ul>
        </section>
        {{/mayExport}}
        {{/main}}{{/frame}}
        """
    }

    static var userDeletionText: String {
        """
        {{<frame}}{{$main}}
        {{#.problem}}
        <p class="problem" id="problem" role="alert">{{problem}}</p>
        {{/.problem}}
        <div class="panel narrow">
        <dl class="facts">
        <div><dt>User</dt><dd>{{user}}</dd></div>
        </dl>
        <p>What happens:</p>
        <ul>
        <li>Devices, keys, the password, the profile, transactions and everything else about the user are deleted. Logins, tokens, \
        sessions and journeys end now.</li>
        <li>The audit log keeps its entries under a pseudonym.</li>
        <li>This cannot be undone. Export the user first if you may need the records.</li>
        </ul>
        <form method="post" action="{{action}}">
        <input type="hidden" name="form_token" value="{{formToken}}">
        <input type="hidden" name="id" value="{{user}}">
        <div class="field">
        <label for="confirm">The user id again</label>
        <input id="confirm" name="confirm" value="{{confirm}}" required autocomplete="off" autocapitalize="off" spellcheck="false" \
        maxlength="128"{{#.problem}} aria-invalid="true" aria-describedby="problem"{{/.problem}}>
        </div>
        <div class="field">
        <label for="reason">Reason</label>
        <input id="reason" name="reason" value="{{reason}}" required autocomplete="off" maxlength="200" aria-describedby="hint">
        <p class="hint" id="hint">It stays in the audit log. The number of a ticket is a good reason; do not name the user.</p>
        </div>
        <p class="choice"><button class="grave">Delete user</button> <a href="{{back}}">Cancel</a></p>
        </form>
        </div>
        {{/main}}{{/frame}}
        """
    }
}
