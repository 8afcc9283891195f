/// The pages about webhooks.
extension ConsoleTemplate {
    static var webhooksText: String {
        """
        {{<frame}}{{$main}}
        {{^empty(webhooks)}}
        <table role="table">
        <caption>In the order of their ids</caption>
        <thead role="rowgroup"><tr role="row">
        <th role="columnheader" scope="col">Name</th>
        <th role="columnheader" scope="col">URL</th>
        <th role="columnheader" scope="col">State</th>
        <th role="columnheader" scope="col">Waiting</th>
        <th role="columnheader" scope="col">Dead letters</th>
        </tr></thead>
        <tbody role="rowgroup">
        {{#webhooks}}
        <tr role="row">
        <th role="rowheader" scope="row"><a href="{{address}}">{{name}}</a></th>
        <td role="cell" data-label="URL"><code>{{url}}</code></td>
        <td role="cell" data-label="State">{{state}}</td>
        <td role="cell" data-label="Waiting">{{waiting}}</td>
        <td role="cell" data-label="Dead letters">{{dead}}</td>
        </tr>
        {{/webhooks}}
        </tbody>
        </table>
        {{/empty(webhooks)}}
        {{^webhooks}}
        <p class="empty">There are no webhooks. The command <code>nightlatch admin webhooks add</code> adds one.</p>
        {{/webhooks}}
        {{/main}}{{/frame}}
        """
    }

    static var webhookText: String {
        """
        {{<frame}}{{$main}}
        <dl class="facts">
        {{#facts}}
        <div><dt>{{name}}</dt><dd>{{value}}</dd></div>
        {{/facts}}
        </dl>
        {{^empty(dead)}}
        <table role="table">
        <caption>Dead letters, oldest first</caption>
        <thead role="rowgroup"><tr role="row">
        <th role="columnheader" scope="col">Number</th>
        <th role="columnheader" scope="col">Event</th>
        <th role="columnheader" scope="col">Given up</th>
        <th role="columnheader" scope="col">Failure</th>
        </tr></thead>
        <tbody role="rowgroup">
        {{#dead}}
        <tr role="row">
        <th role="rowheader" scope="row">{{number}}</th>
        <td role="cell" data-label="Event">{{#createdAt}}{{>time}}{{/createdAt}}</td>
        <td role="cell" data-label="Given up">{{#.diedAt}}{{>time}}{{/.diedAt}}</td>
        <td role="cell" data-label="Failure">{{failure}}</td>
        </tr>
        {{/dead}}
        </tbody>
        </table>
        {{/empty(dead)}}
        <section aria-labelledby="actions">
        <h2 id="actions">What can be done</h2>
        {{#.redelivery}}
        <form method="post" action="{{redelivery}}">
        <input type="hidden" name="form_token" value="{{formToken}}">
        <input type="hidden" name="id" value="{{id}}">
        <p class="choice"><button>Redeliver</button> <span>All dead letters are delivered again.</span></p>
        </form>
        {{/.redelivery}}
        <form method="post" action="{{toggle}}">
        <input type="hidden" name="form_token" value="{{formToken}}">
        <input type="hidden" name="id" value="{{id}}">
        <p class="choice"><button>{{verb}}</button> <span>{{effect}}</span></p>
        </form>
        </section>
        {{/main}}{{/frame}}
        """
    }
}
