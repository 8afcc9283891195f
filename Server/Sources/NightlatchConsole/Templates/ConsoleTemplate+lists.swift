/// Tables. They set the ARIA roles of their elements explicitly: in a narrow window, each row is displayed as a block
/// and would otherwise lose its role.
extension ConsoleTemplate {
    /// The table of devices. Uses the values `devices`, `deviceCaption`, `noDevices`, and `isOfAllUsers` for the
    /// columns of user and app.
    static var devicesText: String {
        """
        {{^empty(devices)}}
        <table role="table">
        <caption>{{deviceCaption}}</caption>
        <thead role="rowgroup"><tr role="row">
        <th role="columnheader" scope="col">Name</th>
        {{#isOfAllUsers}}<th role="columnheader" scope="col">User</th>{{/isOfAllUsers}}
        <th role="columnheader" scope="col">State</th>
        {{#isOfAllUsers}}<th role="columnheader" scope="col">App</th>{{/isOfAllUsers}}
        <th role="columnheader" scope="col">Bound</th>
        <th role="columnheader" scope="col">Last login</th>
        <th role="columnheader" scope="col">Device id</th>
        </tr></thead>
        <tbody role="rowgroup">
        {{#devices}}
        <tr role="row">
        <th role="rowheader" scope="row"><a href="{{address}}">{{name}}</a></th>
        {{#isOfAllUsers}}<td role="cell" data-label="User"><a href="{{userAddress}}">{{user}}</a></td>{{/isOfAllUsers}}
        <td role="cell" data-label="State"><span class="state {{state}}">{{state}}</span></td>
        {{#isOfAllUsers}}<td role="cell" data-label="App">{{client}}</td>{{/isOfAllUsers}}
        <td role="cell" data-label="Bound">{{#boundAt}}{{>time}}{{/boundAt}}</td>
        <td role="cell" data-label="Last login">{{#.lastLoginAt}}{{>time}}{{/.lastLoginAt}}{{^.lastLoginAt}}never{{/.lastLoginAt}}</td>
        <td role="cell" data-label="Device id"><code class="id">{{id}}</code></td>
        </tr>
        {{/devices}}
        </tbody>
        </table>
        {{/empty(devices)}}
        {{^devices}}
        <p class="empty">{{noDevices}}</p>
        {{/devices}}
        """
    }

    /// The table of transactions. Uses the values `transactions`, `transactionCaption`, `noTransactions`, and
    /// `isOfAllUsers` for the column of the user.
    static var transactionsText: String {
        """
        {{^empty(transactions)}}
        <table role="table">
        <caption>{{transactionCaption}}</caption>
        <thead role="rowgroup"><tr role="row">
        <th role="columnheader" scope="col">Payee</th>
        {{#isOfAllUsers}}<th role="columnheader" scope="col">User</th>{{/isOfAllUsers}}
        <th role="columnheader" scope="col" class="number">Amount</th>
        <th role="columnheader" scope="col">State</th>
        <th role="columnheader" scope="col">Created</th>
        <th role="columnheader" scope="col">Expires</th>
        <th role="columnheader" scope="col">Ended</th>
        </tr></thead>
        <tbody role="rowgroup">
        {{#transactions}}
        <tr role="row">
        <th role="rowheader" scope="row"><a href="{{address}}">{{payee}}</a></th>
        {{#isOfAllUsers}}<td role="cell" data-label="User"><a href="{{userAddress}}">{{user}}</a></td>{{/isOfAllUsers}}
        <td role="cell" data-label="Amount" class="number">{{amount}}</td>
        <td role="cell" data-label="State"><span class="state {{state}}">{{state}}</span></td>
        <td role="cell" data-label="Created">{{#createdAt}}{{>time}}{{/createdAt}}</td>
        <td role="cell" data-label="Expires">{{#expiresAt}}{{>time}}{{/expiresAt}}</td>
        <td role="cell" data-label="Ended">{{#.endedAt}}{{>time}}{{/.endedAt}}{{^.endedAt}}–{{/.endedAt}}</td>
        </tr>
        {{/transactions}}
        </tbody>
        </table>
        {{/empty(transactions)}}
        {{^transactions}}
        <p class="empty">{{noTransactions}} Old ones are deleted.</p>
        {{/transactions}}
        """
    }

    /// The table of audit entries. Uses the values `events` and `eventCaption`.
    static var eventsText: String {
        """
        {{^empty(events)}}
        <table role="table">
        <caption>{{eventCaption}}</caption>
        <thead role="rowgroup"><tr role="row">
        <th role="columnheader" scope="col">Time</th>
        <th role="columnheader" scope="col">Event</th>
        <th role="columnheader" scope="col">By</th>
        <th role="columnheader" scope="col">User</th>
        <th role="columnheader" scope="col">About</th>
        </tr></thead>
        <tbody role="rowgroup">
        {{#events}}
        <tr role="row">
        <td role="cell" data-label="Time">{{#at}}{{>time}}{{/at}}</td>
        <th role="rowheader" scope="row">{{event}}</th>
        <td role="cell" data-label="By">{{actor}}</td>
        <td role="cell" data-label="User">{{#.user}}<a href="{{address}}">{{text}}</a>{{/.user}}{{^.user}}–{{/.user}}</td>
        <td role="cell" data-label="About"><span>{{#.device}}device <a href="{{address}}"><code>{{text}}</code></a> {{/.device}}\
        {{#.deletedDevice}}device <code>{{deletedDevice}}</code> {{/.deletedDevice}}{{#.reason}}{{reason}} {{/.reason}}\
        {{#.transaction}}transaction <a href="{{address}}"><code>{{text}}</code></a> {{/.transaction}}\
        {{#.deletedTransaction}}transaction <code>{{deletedTransaction}}</code> {{/.deletedTransaction}}\
        {{#.journeyKey}}key <code>{{journeyKey}}</code> {{/.journeyKey}}{{#.client}}app <code>{{client}}</code> {{/.client}}{{#.members}}{{members}} {{/.members}}{{#.claims}}claims <span class="claims">{{claims}}</span> {{/.claims}}\
        {{#.problem}}<code>{{problem}}</code> {{/.problem}}{{#.count}}{{count}} ×{{/.count}}{{#isAboutNothing}}–{{/isAboutNothing}}</span></td>
        </tr>
        {{/events}}
        </tbody>
        </table>
        {{/empty(events)}}
        {{^events}}
        <p class="empty">No event was recorded.</p>
        {{/events}}
        """
    }
}
