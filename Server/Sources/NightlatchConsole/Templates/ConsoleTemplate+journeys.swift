/// The tables of journey keys and sessions, and the page about a journey key.
extension ConsoleTemplate {
    /// The table of journey keys. Uses the values `journeyKeys` and `journeyKeyCaption`.
    static var journeyKeysText: String {
        """
        {{^empty(journeyKeys)}}
        <table role="table">
        <caption>{{journeyKeyCaption}}</caption>
        <thead role="rowgroup"><tr role="row">
        <th role="columnheader" scope="col">Name</th>
        <th role="columnheader" scope="col">Bound</th>
        <th role="columnheader" scope="col">Last signed</th>
        <th role="columnheader" scope="col">App</th>
        <th role="columnheader" scope="col">Key</th>
        </tr></thead>
        <tbody role="rowgroup">
        {{#journeyKeys}}
        <tr role="row">
        <th role="rowheader" scope="row"><a href="{{address}}">{{name}}</a></th>
        <td role="cell" data-label="Bound">{{#boundAt}}{{>time}}{{/boundAt}}</td>
        <td role="cell" data-label="Last signed">{{#lastAccessAt}}{{>time}}{{/lastAccessAt}}</td>
        <td role="cell" data-label="App">{{application}}</td>
        <td role="cell" data-label="Key"><code>{{id}}</code></td>
        </tr>
        {{/journeyKeys}}
        </tbody>
        </table>
        {{/empty(journeyKeys)}}
        {{^journeyKeys}}
        <p class="empty">No key is bound through a journey.</p>
        {{/journeyKeys}}
        """
    }

    /// The table of journey sessions. Uses the values `journeySessions` and `journeySessionCaption`.
    static var journeySessionsText: String {
        """
        {{^empty(journeySessions)}}
        <table role="table">
        <caption>{{journeySessionCaption}}</caption>
        <thead role="rowgroup"><tr role="row">
        <th role="columnheader" scope="col">Journey</th>
        <th role="columnheader" scope="col">Began</th>
        <th role="columnheader" scope="col">Ends</th>
        <th role="columnheader" scope="col">Signed by</th>
        </tr></thead>
        <tbody role="rowgroup">
        {{#journeySessions}}
        <tr role="row">
        <th role="rowheader" scope="row">{{journey}}</th>
        <td role="cell" data-label="Began">{{#beganAt}}{{>time}}{{/beganAt}}</td>
        <td role="cell" data-label="Ends">{{#expiresAt}}{{>time}}{{/expiresAt}}</td>
        <td role="cell" data-label="Signed by">{{#.key}}<code>{{key}}</code>{{/.key}}{{^.key}}no key{{/.key}}</td>
        </tr>
        {{/journeySessions}}
        </tbody>
        </table>
        {{/empty(journeySessions)}}
        {{^journeySessions}}
        <p class="empty">No session is active.</p>
        {{/journeySessions}}
        """
    }

    static var journeyKeyText: String {
        """
        {{<frame}}{{$main}}
        {{#key}}
        <dl class="facts">
        <div><dt>User</dt><dd><a href="{{userAddress}}">{{user}}</a></dd></div>
        <div><dt>Bound</dt><dd>{{#boundAt}}{{>time}}{{/boundAt}}</dd></div>
        <div><dt>Last signed</dt><dd>{{#lastAccessAt}}{{>time}}{{/lastAccessAt}}</dd></div>
        <div><dt>App</dt><dd><code>{{application}}</code></dd></div>
        <div><dt>Machine</dt><dd><code>{{machine}}</code></dd></div>
        <div><dt>Key id</dt><dd><code>{{id}}</code></dd></div>
        <div><dt>Key</dt><dd>{{algorithm}} <code>{{key}}</code></dd></div>
        </dl>
        {{/key}}
        {{#mayRename}}
        <section aria-labelledby="actions">
        <h2 id="actions">What can be done</h2>
        <ul class="actions">
        <li><a class="button" href="{{#key}}{{renaming}}{{/key}}">Rename…</a> <span>The user sees the name in the list of devices.</span></li>
        {{#mayRemove}}
        <li><a class="button grave" href="{{#key}}{{removal}}{{/key}}">Remove…</a> <span>Journeys no longer accept its signatures.</span></li>
        {{/mayRemove}}
        </ul>
        </section>
        {{/mayRename}}
        {{/main}}{{/frame}}
        """
    }
}
