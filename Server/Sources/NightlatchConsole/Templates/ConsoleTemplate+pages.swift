/// Parts of the lists in which operators search.
extension ConsoleTemplate {
    /// The form above a list. Uses the values of ``SearchForm``.
    static var searchFormText: String {
        """
        <form class="panel search" method="get" action="{{action}}" role="search">
        {{#fields}}
        <div class="field{{#isShort}} short{{/isShort}}">
        <label for="{{name}}">{{label}}</label>
        {{^empty(choices)}}
        <select id="{{name}}" name="{{name}}">
        {{#choices}}
        <option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{text}}</option>
        {{/choices}}
        </select>
        {{/empty(choices)}}
        {{^choices}}
        <input id="{{name}}" name="{{name}}" type="{{type}}" value="{{value}}" autocomplete="off" autocapitalize="off" spellcheck="false"\
        {{#.limit}} maxlength="{{limit}}"{{/.limit}}{{#.hint}} aria-describedby="{{name}}-hint"{{/.hint}}>
        {{/choices}}
        {{#.hint}}
        <p class="hint" id="{{name}}-hint">{{hint}}</p>
        {{/.hint}}
        </div>
        {{/fields}}
        <button>{{button}}</button>
        </form>
        """
    }

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

    /// The table of users. Uses the values `users`, `userCaption` and `noUsers`.
    static var userTableText: String {
        """
        {{^empty(users)}}
        <table role="table">
        <caption>{{userCaption}}</caption>
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
        <p class="empty">{{noUsers}}</p>
        {{/users}}
        """
    }
}
