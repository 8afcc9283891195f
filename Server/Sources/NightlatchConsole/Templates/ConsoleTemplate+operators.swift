/// The pages about operators.
extension ConsoleTemplate {
    static var operatorsText: String {
        """
        {{<frame}}{{$main}}
        {{^empty(operators)}}
        <table role="table">
        <caption>In the order of their user ids</caption>
        <thead role="rowgroup"><tr role="row">
        <th role="columnheader" scope="col">Name</th>
        <th role="columnheader" scope="col">User</th>
        <th role="columnheader" scope="col">Role</th>
        <th role="columnheader" scope="col">Since</th>
        <th role="columnheader" scope="col">Actions</th>
        </tr></thead>
        <tbody role="rowgroup">
        {{#operators}}
        <tr role="row">
        <th role="rowheader" scope="row">{{name}}</th>
        <td role="cell" data-label="User"><a href="{{userAddress}}">{{user}}</a></td>
        <td role="cell" data-label="Role">{{role}}</td>
        <td role="cell" data-label="Since">{{#addedAt}}{{>time}}{{/addedAt}}</td>
        <td role="cell" data-label="Actions"><div class="row"><a href="{{change}}" aria-label="Change {{name}}">Change…</a> \
        <a href="{{removal}}" aria-label="Remove {{name}}">Remove…</a> \
        <form method="post" action="{{code}}"><input type="hidden" name="form_token" value="{{formToken}}">\
        <input type="hidden" name="user" value="{{user}}">\
        <button class="quiet" aria-label="New code for {{name}}">New code</button></form></div></td>
        </tr>
        {{/operators}}
        </tbody>
        </table>
        {{/empty(operators)}}
        {{^operators}}
        <p class="empty">There is no operator. Everybody signs in with the admin key.</p>
        {{/operators}}
        <section aria-labelledby="actions">
        <h2 id="actions">What can be done</h2>
        <ul class="actions">
        <li><a class="button" href="{{addition}}">Add…</a> <span>A user who signs in to this console with a phone.</span></li>
        </ul>
        </section>
        <section aria-labelledby="roles">
        <h2 id="roles">Roles</h2>
        <dl class="facts">
        {{#roles}}
        <div><dt>{{name}}</dt><dd>{{value}}</dd></div>
        {{/roles}}
        </dl>
        </section>
        {{/main}}{{/frame}}
        """
    }

    static var operatorFormText: String {
        """
        {{<frame}}{{$main}}
        {{#.problem}}
        <p class="problem" id="problem" role="alert">{{problem}}</p>
        {{/.problem}}
        <form class="panel narrow" method="post" action="{{action}}"{{#.problem}} aria-describedby="problem"{{/.problem}}>
        <input type="hidden" name="form_token" value="{{formToken}}">
        {{#isNew}}
        <input type="hidden" name="is_new" value="1">
        <div class="field">
        <label for="user">User</label>
        <input id="user" name="user" value="{{user}}" required maxlength="128" autocomplete="off" autocapitalize="off" \
        spellcheck="false" aria-describedby="user-hint">
        <p class="hint" id="user-hint">A user of their own, for this console alone. An unknown user is created.</p>
        </div>
        {{/isNew}}
        {{^isNew}}
        <input type="hidden" name="user" value="{{user}}">
        <dl class="facts"><div><dt>User</dt><dd>{{user}}</dd></div></dl>
        {{/isNew}}
        <div class="field">
        <label for="name">Name</label>
        <input id="name" name="name" value="{{name}}" required maxlength="64" autocomplete="off" aria-describedby="name-hint">
        <p class="hint" id="name-hint">The audit log shows it, also after the operator was removed.</p>
        </div>
        <div class="field">
        <label for="role">Role</label>
        <select id="role" name="role">
        {{#roles}}
        <option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{text}}</option>
        {{/roles}}
        </select>
        </div>
        {{>reasonField}}
        <p class="choice"><button>{{verb}}</button> <a href="{{back}}">Cancel</a></p>
        </form>
        {{/main}}{{/frame}}
        """
    }

    static var operatorCodeText: String {
        """
        {{<frame}}{{$main}}
        <div class="message" role="status">
        <p>With this code, {{user}} binds a phone that signs in to this console. It is shown only on this page.</p>
        <p><code>{{code}}</code></p>
        <p>It is valid until {{#expiresAt}}{{>time}}{{/expiresAt}}, once.</p>
        </div>
        <p><a href="{{back}}">All operators</a></p>
        {{/main}}{{/frame}}
        """
    }
}
