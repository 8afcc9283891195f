/// The sign-in page, and the pages about the server.
extension ConsoleTemplate {
    static var signInText: String {
        """
        {{<frame}}{{$main}}
        {{#.problem}}
        <p class="problem" id="problem" role="alert">{{problem}}</p>
        {{/.problem}}
        {{#.notice}}
        <p class="message" role="status">{{notice}}</p>
        {{/.notice}}
        <form class="panel narrow" method="post" action="{{action}}">
        <input name="username" value="operator" autocomplete="username" hidden>
        <div class="field">
        <label for="key">Admin key</label>
        <input id="key" name="key" type="password" required autofocus autocomplete="current-password" autocapitalize="off" spellcheck="false" \
        aria-describedby="hint{{#.problem}} problem{{/.problem}}"{{#.problem}} aria-invalid="true"{{/.problem}}>
        <p class="hint" id="hint">43 characters, in the file or setting that the server was started with.</p>
        </div>
        <button>Sign in</button>
        </form>
        {{/main}}{{/frame}}
        """
    }

    static var overviewText: String {
        """
        {{<frame}}{{$main}}
        <form class="panel search" method="get" action="{{search}}" role="search">
        <div class="field">
        <label for="prefix">Find a user</label>
        <input id="prefix" name="prefix" type="search" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="128" \
        aria-describedby="hint">
        <p class="hint" id="hint">The user id, or its beginning.</p>
        </div>
        <button>Find</button>
        </form>
        <section aria-labelledby="state">
        <h2 id="state">State</h2>
        <dl class="facts">
        <div><dt>Store</dt><dd><span class="state {{storeState}}">{{storeState}}</span> {{storeSentence}}</dd></div>
        </dl>
        </section>
        <section aria-labelledby="newest">
        <h2 id="newest">Audit</h2>
        {{>events}}
        <p><a href="{{audit}}">Whole audit log</a></p>
        </section>
        {{/main}}{{/frame}}
        """
    }

    static var policyText: String {
        """
        {{<frame}}{{$main}}
        <p>The settings that this server was started with. To change one, edit the settings and restart the server.</p>
        {{#groups}}
        <section aria-labelledby="{{id}}">
        <h2 id="{{id}}">{{title}}</h2>
        <dl class="facts">
        {{#facts}}
        <div><dt>{{name}}</dt><dd>{{value}}</dd></div>
        {{/facts}}
        </dl>
        </section>
        {{/groups}}
        <section aria-labelledby="app-policies">
        <h2 id="app-policies">Policies for devices</h2>
        <p>What devices must keep to: PINs, authenticators, versions. The pages of apps and users have theirs too.</p>
        <ul>
        {{#apps}}
        <li><a href="{{address}}">{{text}}</a></li>
        {{/apps}}
        </ul>
        </section>
        {{/main}}{{/frame}}
        """
    }

    static var refusalText: String {
        """
        {{<frame}}{{$main}}
        <p>{{sentence}}</p>
        <p><a href="{{home}}">Go to the overview</a></p>
        {{/main}}{{/frame}}
        """
    }
}
