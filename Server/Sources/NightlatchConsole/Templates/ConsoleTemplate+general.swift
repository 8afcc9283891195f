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
        {{#.phoneAction}}
        <form class="panel narrow" method="post" action="{{phoneAction}}">
        <p>Your phone shows the sign-in, and you confirm it there.</p>
        <button autofocus>Sign in with your phone</button>
        </form>
        <h2>Emergency access</h2>
        {{/.phoneAction}}
        <form class="panel narrow" method="post" action="{{action}}">
        <input name="username" value="operator" autocomplete="username" hidden>
        <div class="field">
        <label for="key">Admin key</label>
        <input id="key" name="key" type="password" required{{^.phoneAction}} autofocus{{/.phoneAction}} autocomplete="current-password" autocapitalize="off" spellcheck="false" \
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
        {{#form}}{{>searchForm}}{{/form}}
        <section aria-labelledby="state">
        <h2 id="state">Now</h2>
        <ul class="figures">
        {{#figures}}
        <li><a href="{{address}}"><strong>{{number}}</strong> {{name}}</a></li>
        {{/figures}}
        </ul>
        <dl class="facts">
        <div><dt>Store</dt><dd><span class="state {{storeState}}">{{storeState}}</span> {{storeSentence}}</dd></div>
        {{#.tail}}
        <div><dt>Audit log</dt><dd><span class="state {{state}}">{{state}}</span> {{sentence}} \
        {{#.newest}}The newest entry is number {{number}} of the chain <code>{{chain}}</code>, written at \
        {{#at}}{{>time}}{{/at}}. {{/.newest}}<code>nightlatch audit verify</code> checks the \
        whole log.</dd></div>
        {{/.tail}}
        </dl>
        </section>
        <section aria-labelledby="counts">
        <h2 id="counts">Logins and refusals</h2>
        {{^empty(counts)}}
        <table role="table" class="counts">
        <caption>{{countCaption}}</caption>
        <thead role="rowgroup"><tr role="row">
        <th role="columnheader" scope="col">Event</th>
        <th role="columnheader" scope="col" class="number">Last hour</th>
        <th role="columnheader" scope="col" class="number">Last day</th>
        </tr></thead>
        <tbody role="rowgroup">
        {{#counts}}
        <tr role="row"{{#isPart}} class="part"{{/isPart}}>
        <th role="rowheader" scope="row"><a href="{{address}}">{{name}}</a></th>
        <td role="cell" data-label="Last hour" class="number">{{lastHour}}</td>
        <td role="cell" data-label="Last day" class="number">{{lastDay}}</td>
        </tr>
        {{/counts}}
        </tbody>
        </table>
        {{/empty(counts)}}
        {{^counts}}
        <p class="empty">{{countCaption}}</p>
        {{/counts}}
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
