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
        {{/main}}{{/frame}}
        """
    }
}
