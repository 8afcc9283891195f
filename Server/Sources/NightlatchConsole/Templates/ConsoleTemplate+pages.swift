/// Parts of the lists in which operators search.
extension ConsoleTemplate {
    /// The jumps by letter above a list. Uses the values of ``ListPages``.
    static var lettersText: String {
        """
        {{^empty(letters)}}
        <nav aria-label="Letters"><ul class="letters">
        {{#letters}}
        <li><a href="{{address}}">{{text}}</a></li>
        {{/letters}}
        </ul></nav>
        {{/empty(letters)}}
        """
    }

    /// The jumps below a list, and its export. Uses the values of ``ListPages``.
    static var pagesText: String {
        """
        <div class="below">
        <nav class="pages" aria-label="Pages">
        {{#links}}
        <a href="{{address}}">{{text}}</a>
        {{/links}}
        </nav>
        <form method="post" action="{{exportAction}}">
        <input type="hidden" name="form_token" value="{{formToken}}">
        {{#exportFields}}
        <input type="hidden" name="{{name}}" value="{{value}}">
        {{/exportFields}}
        <button class="quiet">Export as CSV</button>
        </form>
        </div>
        """
    }

    /// The table of users. Uses the value `users`, and the caption of `pages` or `userCaption`.
    static var userTableText: String {
        """
        <table role="table">
        <caption>{{#.pages}}{{caption}}{{/.pages}}{{^.pages}}{{userCaption}}{{/.pages}}</caption>
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
        """
    }

    /// The table of all users' devices. Uses the value `devices`, and the caption of `pages` or `deviceCaption`.
    static var deviceTableText: String {
        """
        <table role="table">
        <caption>{{#.pages}}{{caption}}{{/.pages}}{{^.pages}}{{deviceCaption}}{{/.pages}}</caption>
        <thead role="rowgroup"><tr role="row">
        <th role="columnheader" scope="col">Name</th>
        <th role="columnheader" scope="col">User</th>
        <th role="columnheader" scope="col">State</th>
        <th role="columnheader" scope="col">App</th>
        <th role="columnheader" scope="col">Bound</th>
        <th role="columnheader" scope="col">Last login</th>
        <th role="columnheader" scope="col">Device id</th>
        </tr></thead>
        <tbody role="rowgroup">
        {{#devices}}
        <tr role="row">
        {{#device}}
        <th role="rowheader" scope="row"><a href="{{address}}">{{name}}</a></th>
        <td role="cell" data-label="User"><a href="{{userAddress}}">{{user}}</a></td>
        <td role="cell" data-label="State"><span class="state {{state}}">{{state}}</span></td>
        <td role="cell" data-label="App">{{client}}</td>
        <td role="cell" data-label="Bound">{{#boundAt}}{{>time}}{{/boundAt}}</td>
        <td role="cell" data-label="Last login">{{#.lastLoginAt}}{{>time}}{{/.lastLoginAt}}{{^.lastLoginAt}}never{{/.lastLoginAt}}</td>
        <td role="cell" data-label="Device id"><code class="id">{{id}}</code></td>
        {{/device}}
        </tr>
        {{/devices}}
        </tbody>
        </table>
        """
    }
}
