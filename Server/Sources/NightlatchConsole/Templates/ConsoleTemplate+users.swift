/// The pages about users.
extension ConsoleTemplate {
    static var userText: String {
        """
        {{<frame}}{{$main}}
        <dl class="facts">
        <div><dt>Since</dt><dd>{{#createdAt}}{{>time}}{{/createdAt}}</dd></div>
        <div><dt>Password</dt><dd>{{password}}</dd></div>
        {{#profile}}
        <div><dt>{{name}}</dt><dd>{{value}}</dd></div>
        {{/profile}}
        <div><dt>Policy</dt><dd><a href="{{policy}}">Show and change</a></dd></div>
        </dl>
        <section aria-labelledby="devices">
        <h2 id="devices">Devices</h2>
        {{>devices}}
        </section>
        {{#hasJourneys}}
        <section aria-labelledby="journey-keys">
        <h2 id="journey-keys">Keys of journeys</h2>
        {{>journeyKeys}}
        </section>
        <section aria-labelledby="journey-sessions">
        <h2 id="journey-sessions">Sessions of journeys</h2>
        {{>journeySessions}}
        {{#.sessionEnd}}
        <ul class="actions">
        <li><a class="button grave" href="{{sessionEnd}}">End all…</a> <span>The user must log in again.</span></li>
        </ul>
        {{/.sessionEnd}}
        </section>
        {{/hasJourneys}}
        <section aria-labelledby="transactions">
        <h2 id="transactions">Transactions</h2>
        {{>transactions}}
        </section>
        <section aria-labelledby="events">
        <h2 id="events">Audit</h2>
        {{>events}}
        <p><a href="{{audit}}">All events of this user</a></p>
        </section>
        {{/main}}{{/frame}}
        """
    }
}
