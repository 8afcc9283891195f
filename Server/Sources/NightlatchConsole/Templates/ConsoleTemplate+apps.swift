/// The pages about apps.
extension ConsoleTemplate {
    static var appsText: String {
        """
        {{<frame}}{{$main}}
        {{^empty(apps)}}
        <table role="table">
        <caption>In the order of their ids</caption>
        <thead role="rowgroup"><tr role="row">
        <th role="columnheader" scope="col">Name</th>
        <th role="columnheader" scope="col">App id</th>
        <th role="columnheader" scope="col">Authentication</th>
        <th role="columnheader" scope="col">Tokens</th>
        <th role="columnheader" scope="col">Devices</th>
        </tr></thead>
        <tbody role="rowgroup">
        {{#apps}}
        <tr role="row">
        <th role="rowheader" scope="row"><a href="{{address}}">{{name}}</a></th>
        <td role="cell" data-label="App id"><code>{{id}}</code></td>
        <td role="cell" data-label="Authentication">{{authentication}}</td>
        <td role="cell" data-label="Tokens">{{tokens}}</td>
        <td role="cell" data-label="Devices">{{devices}}</td>
        </tr>
        {{/apps}}
        </tbody>
        </table>
        {{/empty(apps)}}
        {{^apps}}
        <p class="empty">No app is registered. Devices can use the apps of the server’s settings.</p>
        {{/apps}}
        {{#.registration}}
        <section aria-labelledby="actions">
        <h2 id="actions">What can be done</h2>
        <ul class="actions">
        <li><a class="button" href="{{registration}}">Register…</a> <span>Lets another app use this server.</span></li>
        </ul>
        </section>
        {{/.registration}}
        {{/main}}{{/frame}}
        """
    }

    static var appText: String {
        """
        {{<frame}}{{$main}}
        {{#.secret}}
        <div class="message" role="status">
        <p>The app has a new secret. It is shown only on this page: give it to the app now.</p>
        <p><code>{{secret}}</code></p>
        </div>
        {{/.secret}}
        <dl class="facts">
        {{#facts}}
        <div><dt>{{name}}</dt><dd>{{value}}</dd></div>
        {{/facts}}
        </dl>
        <section aria-labelledby="actions">
        <h2 id="actions">What can be done</h2>
        <ul class="actions">
        {{#.change}}
        <li><a class="button" href="{{change}}">Change…</a> <span>All servers use the change within six seconds.</span></li>
        {{/.change}}
        <li><a class="button" href="{{policy}}">Policy…</a> <span>What the app’s users must keep to: PINs, authenticators, versions.</span></li>
        {{#.removal}}
        <li><a class="button grave" href="{{removal}}">Remove…</a> <span>The app’s refresh tokens end at once, its access tokens within an hour.</span></li>
        {{/.removal}}
        </ul>
        </section>
        {{/main}}{{/frame}}
        """
    }

    static var appFormText: String {
        """
        {{<frame}}{{$main}}
        {{#.problem}}
        <p class="problem" id="problem" role="alert">{{problem}}</p>
        {{/.problem}}
        <form class="panel narrow" method="post" action="{{action}}"{{#.problem}} aria-describedby="problem"{{/.problem}}>
        <input type="hidden" name="form_token" value="{{formToken}}">
        {{#isNew}}
        <div class="field">
        <label for="client_id">App id</label>
        <input id="client_id" name="id" value="{{id}}" required maxlength="64" autocomplete="off" autocapitalize="off" \
        spellcheck="false" aria-describedby="id-hint">
        <p class="hint" id="id-hint">1 to 64 letters, digits and . _ - It cannot be changed later.</p>
        </div>
        {{/isNew}}
        {{^isNew}}
        <input type="hidden" name="id" value="{{id}}">
        <input type="hidden" name="revision" value="{{revision}}">
        {{/isNew}}
        <div class="field">
        <label for="client_name">Name</label>
        <input id="client_name" name="client_name" value="{{name}}" required autocomplete="off" aria-describedby="name-hint">
        <p class="hint" id="name-hint">1 to 64 characters. Users see it.</p>
        </div>
        <div class="field">
        <label for="token_endpoint_auth_method">Authentication</label>
        <select id="token_endpoint_auth_method" name="token_endpoint_auth_method">
        {{#methods}}
        <option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{text}}</option>
        {{/methods}}
        </select>
        </div>
        {{^isNew}}
        <div class="field check">
        <input id="new_secret" name="new_secret" type="checkbox" value="true" aria-describedby="secret-hint">
        <label for="new_secret">New secret</label>
        <p class="hint" id="secret-hint">For an app with a secret. The old secret is no longer accepted.</p>
        </div>
        {{/isNew}}
        <div class="field">
        <label for="jwks">Public keys</label>
        <textarea id="jwks" name="jwks" rows="3" autocomplete="off" autocapitalize="off" spellcheck="false" \
        aria-describedby="jwks-hint">{{keys}}</textarea>
        <p class="hint" id="jwks-hint">A JWK set, only for an app that authenticates with keys.</p>
        </div>
        <div class="field">
        <label for="redirect_uris">Redirect URIs</label>
        <textarea id="redirect_uris" name="redirect_uris" rows="3" autocomplete="off" autocapitalize="off" spellcheck="false" \
        aria-describedby="redirect-hint">{{redirectURIs}}</textarea>
        <p class="hint" id="redirect-hint">One on each line. A request must name one of them exactly.</p>
        </div>
        <div class="field">
        <label for="post_logout_redirect_uris">Redirect URIs after a logout</label>
        <textarea id="post_logout_redirect_uris" name="post_logout_redirect_uris" rows="2" autocomplete="off" autocapitalize="off" \
        spellcheck="false">{{logoutURIs}}</textarea>
        </div>
        <div class="field">
        <label for="scope">Scopes</label>
        <input id="scope" name="scope" value="{{scope}}" autocomplete="off" autocapitalize="off" spellcheck="false">
        </div>
        <div class="field check">
        <input id="dpop" name="dpop_bound_access_tokens" type="checkbox" value="true"{{#isDPoPBound}} checked{{/isDPoPBound}}>
        <label for="dpop">Tokens are bound to a key (DPoP)</label>
        </div>
        <div class="field check">
        <input id="binds" name="binds_devices" type="checkbox" value="true" aria-describedby="binds-hint"{{#bindsDevices}} checked{{/bindsDevices}}>
        <label for="binds">Devices may use the app</label>
        <p class="hint" id="binds-hint">They name its id as the issuer of their messages.</p>
        </div>
        <div class="field">
        <label for="device_policy">Device policy</label>
        <select id="device_policy" name="device_policy">
        {{#policies}}
        <option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{text}}</option>
        {{/policies}}
        </select>
        </div>
        <div class="field">
        <label for="access_token_seconds">Lifetime of access tokens, in seconds</label>
        <input id="access_token_seconds" name="access_token_seconds" value="{{accessTokenSeconds}}" required inputmode="numeric" \
        autocomplete="off">
        </div>
        <div class="field">
        <label for="refresh_token_seconds">Lifetime of unused refresh tokens, in seconds; 0 for none</label>
        <input id="refresh_token_seconds" name="refresh_token_seconds" value="{{refreshTokenSeconds}}" required inputmode="numeric" \
        autocomplete="off">
        </div>
        <p class="choice"><button>{{verb}}</button> <a href="{{back}}">Cancel</a></p>
        </form>
        {{/main}}{{/frame}}
        """
    }
}
