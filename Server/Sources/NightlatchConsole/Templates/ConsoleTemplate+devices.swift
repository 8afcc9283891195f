/// The pages about a device, and the confirmation page.
extension ConsoleTemplate {
    static var deviceText: String {
        """
        {{<frame}}{{$main}}
        <dl class="facts">
        <div><dt>State</dt><dd><span class="state {{state}}">{{state}}</span> {{stateSentence}}</dd></div>
        <div><dt>User</dt><dd><a href="{{userAddress}}">{{user}}</a></dd></div>
        <div><dt>Bound</dt><dd>{{#boundAt}}{{>time}}{{/boundAt}}</dd></div>
        <div><dt>Last login</dt><dd>{{#.lastLoginAt}}{{>time}}{{/.lastLoginAt}}{{^.lastLoginAt}}never{{/.lastLoginAt}}</dd></div>
        <div><dt>App</dt><dd><code>{{client}}</code></dd></div>
        <div><dt>Device id</dt><dd><code>{{id}}</code></dd></div>
        <div><dt>Key</dt><dd>{{algorithm}} <code>{{key}}</code></dd></div>
        </dl>
        {{^empty(actions)}}
        <section aria-labelledby="actions">
        <h2 id="actions">What can be done</h2>
        <ul class="actions">
        {{#actions}}
        <li><a class="button{{#isGrave}} grave{{/isGrave}}" href="{{address}}">{{text}}</a> <span>{{sentence}}</span></li>
        {{/actions}}
        </ul>
        </section>
        {{/empty(actions)}}
        {{/main}}{{/frame}}
        """
    }

    static var renamingText: String {
        """
        {{<frame}}{{$main}}
        {{#.problem}}
        <p class="problem" id="problem" role="alert">{{problem}}</p>
        {{/.problem}}
        <form class="panel narrow" method="post" action="{{action}}">
        <input type="hidden" name="form_token" value="{{formToken}}">
        <input type="hidden" name="user" value="{{user}}">
        <input type="hidden" name="id" value="{{id}}">
        <div class="field">
        <label for="name">New name</label>
        <input id="name" name="name" value="{{name}}" required autocomplete="off" \
        aria-describedby="hint{{#.problem}} problem{{/.problem}}"{{#.problem}} aria-invalid="true"{{/.problem}}>
        <p class="hint" id="hint">1 to 64 characters. The user sees it in the list of devices.</p>
        </div>
        <p class="choice"><button>Rename device</button> <a href="{{back}}">Cancel</a></p>
        </form>
        {{/main}}{{/frame}}
        """
    }

    static var confirmationText: String {
        """
        {{<frame}}{{$main}}
        <div class="panel narrow">
        <dl class="facts">
        {{#facts}}
        <div><dt>{{name}}</dt><dd>{{value}}</dd></div>
        {{/facts}}
        </dl>
        <p>What happens:</p>
        <ul>
        {{#effects}}
        <li>{{.}}</li>
        {{/effects}}
        </ul>
        <form method="post" action="{{action}}">
        <input type="hidden" name="form_token" value="{{formToken}}">
        {{#fields}}
        <input type="hidden" name="{{name}}" value="{{value}}">
        {{/fields}}
        {{>reasonField}}
        <p class="choice"><button{{#isGrave}} class="grave"{{/isGrave}}>{{verb}}</button> <a href="{{back}}">Cancel</a></p>
        </form>
        </div>
        {{/main}}{{/frame}}
        """
    }
}
