/// The page about a transaction.
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
}
