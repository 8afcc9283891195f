/// The pages about a transaction and the audit log.
extension ConsoleTemplate {
    static var transactionText: String {
        """
        {{<frame}}{{$main}}
        <dl class="facts">
        <div><dt>State</dt><dd><span class="state {{state}}">{{state}}</span></dd></div>
        <div><dt>User</dt><dd><a href="{{userAddress}}">{{user}}</a></dd></div>
        <div><dt>Created</dt><dd>{{#createdAt}}{{>time}}{{/createdAt}}</dd></div>
        <div><dt>Expires</dt><dd>{{#expiresAt}}{{>time}}{{/expiresAt}}</dd></div>
        {{#.endedAt}}<div><dt>Ended</dt><dd>{{>time}}</dd></div>{{/.endedAt}}
        <div><dt>May be decided by</dt><dd>{{addressees}}</dd></div>
        <div><dt>Transaction id</dt><dd><code>{{id}}</code></dd></div>
        {{#.deciderAddress}}<div><dt>Decided by</dt><dd>device <a href="{{deciderAddress}}"><code>{{decider}}</code></a></dd></div>{{/.deciderAddress}}
        </dl>
        <section aria-labelledby="shown">
        <h2 id="shown">Shown to the user</h2>
        <dl class="facts">
        {{#lines}}
        <div><dt>{{name}}</dt><dd>{{value}}</dd></div>
        {{/lines}}
        </dl>
        </section>
        {{#.voiding}}
        <section aria-labelledby="actions">
        <h2 id="actions">What can be done</h2>
        <ul class="actions">
        <li><a class="button grave" href="{{voiding}}">Void…</a> <span>It can then no longer be decided.</span></li>
        </ul>
        </section>
        {{/.voiding}}
        {{/main}}{{/frame}}
        """
    }

    static var auditText: String {
        """
        {{<frame}}{{$main}}
        <form class="panel search" method="get" action="{{search}}" role="search">
        <div class="field">
        <label for="user">Only events of the user</label>
        <input id="user" name="user" type="search" value="{{user}}" autocomplete="off" autocapitalize="off" spellcheck="false" \
        maxlength="128" aria-describedby="hint">
        <p class="hint" id="hint">The whole user id; empty for all events.</p>
        </div>
        <button>Show</button>
        </form>
        {{>events}}
        <nav class="pages" aria-label="Pages">
        {{#.newest}}<a href="{{newest}}">Newest events</a>{{/.newest}}
        {{#.older}}<a href="{{older}}">Older events</a>{{/.older}}
        </nav>
        <p class="hint">Newest first. Entries of one second are in order only within one chain. To check whether the log \
        is complete, run <code>nightlatch audit verify</code>.</p>
        {{/main}}{{/frame}}
        """
    }
}
