/// The lists of all users, devices, transactions and events.
extension ConsoleTemplate {
    static var findText: String {
        """
        {{<frame}}{{$main}}
        {{#form}}{{>searchForm}}{{/form}}
        {{^empty(text)}}
        <section aria-labelledby="users">
        <h2 id="users">Users</h2>
        {{>userTable}}
        {{^empty(users)}}
        <p><a href="{{allUsers}}">All users whose id begins with it</a></p>
        {{/empty(users)}}
        </section>
        <section aria-labelledby="devices">
        <h2 id="devices">Devices</h2>
        {{>devices}}
        {{^empty(devices)}}
        <p><a href="{{allDevices}}">All devices whose name begins with it</a></p>
        {{/empty(devices)}}
        </section>
        {{/empty(text)}}
        {{/main}}{{/frame}}
        """
    }

    static var usersText: String {
        """
        {{<frame}}{{$main}}
        {{#form}}{{>searchForm}}{{/form}}
        {{^empty(users)}}{{#pages}}{{>letters}}{{/pages}}{{/empty(users)}}
        {{>userTable}}
        {{#pages}}{{>pages}}{{/pages}}
        {{/main}}{{/frame}}
        """
    }

    static var deviceListText: String {
        """
        {{<frame}}{{$main}}
        {{#form}}{{>searchForm}}{{/form}}
        {{^empty(devices)}}{{#pages}}{{>letters}}{{/pages}}{{/empty(devices)}}
        {{>devices}}
        {{#pages}}{{>pages}}{{/pages}}
        {{/main}}{{/frame}}
        """
    }

    static var transactionListText: String {
        """
        {{<frame}}{{$main}}
        {{#form}}{{>searchForm}}{{/form}}
        {{>transactions}}
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
        {{#form}}{{>searchForm}}{{/form}}
        {{>events}}
        {{#pages}}{{>pages}}{{/pages}}
        <p class="hint">Newest first. Entries of one second are in order only within one chain. To check whether the log \
        is complete, run <code>nightlatch audit verify</code>.</p>
        {{/main}}{{/frame}}
        """
    }
}
