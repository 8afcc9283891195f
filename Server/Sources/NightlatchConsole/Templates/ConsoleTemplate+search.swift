/// The lists of all users, devices, transactions and events.
extension ConsoleTemplate {
    static var findText: String {
        """
        {{<frame}}{{$main}}
        <form class="panel search" method="get" action="{{search}}" role="search">
        <div class="field">
        <label for="text">Find a user or device</label>
        <input id="text" name="text" type="search" value="{{text}}" autocomplete="off" autocapitalize="off" spellcheck="false" \
        maxlength="256" aria-describedby="hint">
        <p class="hint" id="hint">The beginning of a user id, of a device’s name, or of a device id (at least 4 digits). \
        Capital and small letters are alike.</p>
        </div>
        <button>Find</button>
        </form>
        {{^empty(text)}}
        <section aria-labelledby="users">
        <h2 id="users">Users</h2>
        {{^empty(users)}}
        {{>userTable}}
        <p><a href="{{allUsers}}">All users whose id begins with it</a></p>
        {{/empty(users)}}
        {{^users}}
        <p class="empty">No user id begins with “{{text}}”.</p>
        {{/users}}
        </section>
        <section aria-labelledby="devices">
        <h2 id="devices">Devices</h2>
        {{^empty(devices)}}
        {{>deviceTable}}
        <p><a href="{{allDevices}}">All devices whose name begins with it</a></p>
        {{/empty(devices)}}
        {{^devices}}
        <p class="empty">No device’s name or id begins with “{{text}}”.</p>
        {{/devices}}
        </section>
        {{/empty(text)}}
        {{/main}}{{/frame}}
        """
    }

    static var usersText: String {
        """
        {{<frame}}{{$main}}
        <form class="panel search" method="get" action="{{search}}" role="search">
        <div class="field">
        <label for="prefix">Find a user</label>
        <input id="prefix" name="prefix" type="search" value="{{prefix}}" autocomplete="off" autocapitalize="off" spellcheck="false" \
        maxlength="128" aria-describedby="hint">
        <p class="hint" id="hint">The user id, or its beginning. Capital and small letters are alike.</p>
        </div>
        <button>Find</button>
        </form>
        {{^empty(users)}}
        {{#pages}}{{>letters}}{{/pages}}
        {{>userTable}}
        {{/empty(users)}}
        {{^users}}
        <p class="empty">{{empty}}</p>
        {{/users}}
        {{#pages}}{{>pages}}{{/pages}}
        {{/main}}{{/frame}}
        """
    }

    static var deviceListText: String {
        """
        {{<frame}}{{$main}}
        <form class="panel search" method="get" action="{{search}}" role="search">
        <div class="field">
        <label for="name">Name</label>
        <input id="name" name="name" type="search" value="{{name}}" autocomplete="off" autocapitalize="off" spellcheck="false" \
        maxlength="256" aria-describedby="hint">
        <p class="hint" id="hint">Its beginning. Capital and small letters are alike.</p>
        </div>
        <div class="field">
        <label for="id">Device id</label>
        <input id="id" name="id" type="search" value="{{id}}" autocomplete="off" autocapitalize="off" spellcheck="false" \
        maxlength="64" aria-describedby="id-hint">
        <p class="hint" id="id-hint">Its first 4 digits, or more.</p>
        </div>
        <div class="field short">
        <label for="status">State</label>
        <select id="status" name="status">
        {{#statuses}}
        <option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{text}}</option>
        {{/statuses}}
        </select>
        </div>
        <div class="field short">
        <label for="app">App</label>
        <select id="app" name="app">
        {{#apps}}
        <option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{text}}</option>
        {{/apps}}
        </select>
        </div>
        <button>Show</button>
        </form>
        {{^empty(devices)}}
        {{#pages}}{{>letters}}{{/pages}}
        {{>deviceTable}}
        {{/empty(devices)}}
        {{^devices}}
        <p class="empty">{{empty}}</p>
        {{/devices}}
        {{#pages}}{{>pages}}{{/pages}}
        {{/main}}{{/frame}}
        """
    }

    static var transactionListText: String {
        """
        {{<frame}}{{$main}}
        <form class="panel search" method="get" action="{{search}}" role="search">
        <div class="field short">
        <label for="state">State</label>
        <select id="state" name="state">
        {{#states}}
        <option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{text}}</option>
        {{/states}}
        </select>
        </div>
        <div class="field">
        <label for="user">User</label>
        <input id="user" name="user" type="search" value="{{user}}" autocomplete="off" autocapitalize="off" spellcheck="false" \
        maxlength="128" aria-describedby="hint">
        <p class="hint" id="hint">The whole user id; empty for all users.</p>
        </div>
        <div class="field short">
        <label for="until">Until (UTC)</label>
        <input id="until" name="until" type="datetime-local" value="{{until}}">
        </div>
        <button>Show</button>
        </form>
        {{^empty(transactions)}}
        <table role="table">
        <caption>{{#pages}}{{caption}}{{/pages}}</caption>
        <thead role="rowgroup"><tr role="row">
        <th role="columnheader" scope="col">Payee</th>
        <th role="columnheader" scope="col">User</th>
        <th role="columnheader" scope="col" class="number">Amount</th>
        <th role="columnheader" scope="col">State</th>
        <th role="columnheader" scope="col">Created</th>
        <th role="columnheader" scope="col">Expires</th>
        <th role="columnheader" scope="col">Ended</th>
        </tr></thead>
        <tbody role="rowgroup">
        {{#transactions}}
        <tr role="row">
        {{#transaction}}
        <th role="rowheader" scope="row"><a href="{{address}}">{{payee}}</a></th>
        <td role="cell" data-label="User"><a href="{{userAddress}}">{{user}}</a></td>
        <td role="cell" data-label="Amount" class="number">{{amount}}</td>
        <td role="cell" data-label="State"><span class="state {{state}}">{{state}}</span></td>
        <td role="cell" data-label="Created">{{#createdAt}}{{>time}}{{/createdAt}}</td>
        <td role="cell" data-label="Expires">{{#expiresAt}}{{>time}}{{/expiresAt}}</td>
        <td role="cell" data-label="Ended">{{#.endedAt}}{{>time}}{{/.endedAt}}{{^.endedAt}}–{{/.endedAt}}</td>
        {{/transaction}}
        </tr>
        {{/transactions}}
        </tbody>
        </table>
        {{/empty(transactions)}}
        {{^transactions}}
        <p class="empty">No transaction matches. Old ones are deleted.</p>
        {{/transactions}}
        {{#pages}}{{>pages}}{{/pages}}
        <p><a href="{{waiting}}">Remote logins that wait for a decision</a></p>
        {{/main}}{{/frame}}
        """
    }

    static var remoteLoginsText: String {
        """
        {{<frame}}{{$main}}
        {{^empty(logins)}}
        <table role="table">
        <caption>{{#pages}}{{caption}}{{/pages}}</caption>
        <thead role="rowgroup"><tr role="row">
        <th role="columnheader" scope="col">User</th>
        <th role="columnheader" scope="col">App</th>
        <th role="columnheader" scope="col">Asked for by</th>
        <th role="columnheader" scope="col">Since</th>
        <th role="columnheader" scope="col">Expires</th>
        </tr></thead>
        <tbody role="rowgroup">
        {{#logins}}
        <tr role="row">
        <th role="rowheader" scope="row"><a href="{{userAddress}}">{{user}}</a></th>
        <td role="cell" data-label="App"><code>{{client}}</code></td>
        <td role="cell" data-label="Asked for by">{{origin}}</td>
        <td role="cell" data-label="Since">{{#requestedAt}}{{>time}}{{/requestedAt}}</td>
        <td role="cell" data-label="Expires">{{#expiresAt}}{{>time}}{{/expiresAt}}</td>
        </tr>
        {{/logins}}
        </tbody>
        </table>
        {{/empty(logins)}}
        {{^logins}}
        <p class="empty">No remote login waits for a decision.</p>
        {{/logins}}
        {{#pages}}{{>pages}}{{/pages}}
        {{/main}}{{/frame}}
        """
    }

    static var auditText: String {
        """
        {{<frame}}{{$main}}
        <form class="panel search" method="get" action="{{search}}" role="search">
        <div class="field">
        <label for="user">User</label>
        <input id="user" name="user" type="search" value="{{user}}" autocomplete="off" autocapitalize="off" spellcheck="false" \
        maxlength="128" aria-describedby="hint">
        <p class="hint" id="hint">The whole user id; empty for all events.</p>
        </div>
        <div class="field short">
        <label for="kind">Event</label>
        <select id="kind" name="kind">
        {{#kinds}}
        <option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{text}}</option>
        {{/kinds}}
        </select>
        </div>
        <div class="field short">
        <label for="problem">Cause of refusals</label>
        <input id="problem" name="problem" type="search" value="{{problem}}" autocomplete="off" autocapitalize="off" spellcheck="false" \
        maxlength="64">
        </div>
        <div class="field short">
        <label for="until">Until (UTC)</label>
        <input id="until" name="until" type="datetime-local" value="{{until}}">
        </div>
        <button>Show</button>
        </form>
        {{>events}}
        {{#pages}}{{>pages}}{{/pages}}
        <p class="hint">Newest first. Entries of one second are in order only within one chain. To check whether the log \
        is complete, run <code>nightlatch audit verify</code>.</p>
        {{/main}}{{/frame}}
        """
    }
}
