/// The pages about users.
extension ConsoleTemplate {
    static var usersText: String {
        """
        {{<frame}}{{$main}}
        <form class="panel search" method="get" action="{{search}}" role="search">
        <div class="field">
        <label for="prefix">Find a user</label>
        <input id="prefix" name="prefix" type="search" value="{{prefix}}" autocomplete="off" autocapitalize="off" spellcheck="false" \
        maxlength="128" aria-describedby="hint">
        <p class="hint" id="hint">The user id, or its beginning. Capital and small letters differ.</p>
        </div>
        <button>Find</button>
        </form>
        {{^empty(users)}}
        <table role="table">
        <caption>{{caption}}</caption>
        <thead role="rowgroup"><tr role="row">
        <th role="columnheader" scope="col">User</th>
        <th role="columnheader" scope="col">Since</th>
        <th role="columnheader" scope="col">Password</th>
        <th role="columnheader" scope="col" class="number">Active devices</th>
        <th role="columnheader" scope="col" class="number">Blocked</th>
        <th role="columnheader" scope="col" class="number">Revoked</th>
        </tr></thead>
        <tbody role="rowgroup">
        {{#users}}
        <tr role="row">
        <th role="rowheader" scope="row"><a href="{{address}}">{{id}}</a></th>
        <td role="cell" data-label="Since">{{#createdAt}}{{>time}}{{/createdAt}}</td>
        <td role="cell" data-label="Password">{{password}}</td>
        <td role="cell" data-label="Active devices" class="number">{{active}}</td>
        <td role="cell" data-label="Blocked" class="number">{{blocked}}</td>
        <td role="cell" data-label="Revoked" class="number">{{revoked}}</td>
        </tr>
        {{/users}}
        </tbody>
        </table>
        {{/empty(users)}}
        {{^users}}
        <p class="empty">{{caption}}</p>
        {{/users}}
        {{#.next}}
        <nav class="pages" aria-label="Pages"><a href="{{next}}">Next users</a></nav>
        {{/.next}}
        {{/main}}{{/frame}}
        """
    }

    static var userText: String {
        """
        {{<frame}}{{$main}}
        <dl class="facts">
        <div><dt>Since</dt><dd>{{#createdAt}}{{>time}}{{/createdAt}}</dd></div>
        <div><dt>Password</dt><dd>{{password}}</dd></div>
        {{#profile}}
        <div><dt>{{name}}</dt><dd>{{value}}</dd></div>
        {{/profile}}
        <div><dt>Policy</dt><dd><a href="{{policy}}">Show and change</a></dd></div>
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
        <section aria-labelledby="data">
        <h2 id="data">Data</h2>
        <ul class="actions">
        <li><a class="button" href="{{export}}">Export</a> <span>Everything that the server keeps about the user, as JSON.</span></li>
        <li><a class="button grave" href="{{deletion}}">Delete…</a> <span>The user and everything about them.</span></li>
        </ul>
        </section>
        {{/main}}{{/frame}}
        """
    }

    static var userDeletionText: String {
        """
        {{<frame}}{{$main}}
        <dl class="facts">
        <div><dt>User</dt><dd>{{user}}</dd></div>
        </dl>
        {{#.problem}}
        <p class="problem" id="problem" role="alert">{{problem}}</p>
        {{/.problem}}
        <ul class="effects">
        <li>Logins, tokens, sessions and journeys of the user end now. Devices and keys are deleted, and pending transactions \
        disappear.</li>
        <li>The audit log keeps its entries. They no longer name the user, but have a pseudonym.</li>
        <li>This cannot be undone.</li>
        </ul>
        <form class="panel narrow" method="post" action="{{action}}">
        {{>formToken}}
        <input name="id" value="{{user}}" hidden>
        <div class="field">
        <label for="confirm">User id, again</label>
        <input id="confirm" name="confirm" value="{{confirm}}" required autocomplete="off" autocapitalize="off" spellcheck="false" \
        maxlength="128"{{#.problem}} aria-invalid="true" aria-describedby="problem"{{/.problem}}>
        </div>
        <div class="field">
        <label for="reason">Reason</label>
        <input id="reason" name="reason" value="{{reason}}" required autocomplete="off" maxlength="200" aria-describedby="hint">
        <p class="hint" id="hint">It stays in the audit log: such as the number of a ticket. Do not name the user.</p>
        </div>
        <button class="grave">Delete user</button>
        <a href="{{back}}">Keep user</a>
        </form>
        {{/main}}{{/frame}}
        """
    }
}
