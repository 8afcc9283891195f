/// The page of the policy of an app or a user.
extension ConsoleTemplate {
    static var subjectPolicyText: String {
        """
        {{<frame}}{{$main}}
        {{#.problem}}
        <p class="problem" id="problem" role="alert">{{problem}}</p>
        {{/.problem}}
        <p>{{explanation}} Devices get a change at the next login or refresh, and apply it to the next PIN that is set.</p>
        <dl class="facts">
        {{#facts}}
        <div><dt>{{name}}</dt><dd>{{value}}</dd></div>
        {{/facts}}
        {{^facts}}
        <div><dt>Demands</dt><dd>none</dd></div>
        {{/facts}}
        {{#.shownRevision}}
        <div><dt>Revision</dt><dd>{{shownRevision}}</dd></div>
        {{/.shownRevision}}
        {{#.changedAt}}
        <div><dt>Changed</dt><dd>{{>time}}</dd></div>
        {{/.changedAt}}
        {{#.changedBy}}
        <div><dt>Changed by</dt><dd>{{changedBy}}</dd></div>
        {{/.changedBy}}
        </dl>
        {{#isChangeable}}
        <form class="panel narrow" method="post" action="{{action}}"{{#.problem}} aria-describedby="problem"{{/.problem}}>
        <input type="hidden" name="form_token" value="{{formToken}}">
        <input type="hidden" name="{{kind}}" value="{{id}}">
        <input type="hidden" name="revision" value="{{revision}}">
        {{#members}}
        <div class="field">
        <label for="{{name}}">{{label}}</label>
        <input id="{{name}}" name="{{name}}" value="{{value}}" autocomplete="off" autocapitalize="off" spellcheck="false" \
        aria-describedby="{{name}}-hint{{#isRefused}} problem{{/isRefused}}"{{#isRefused}} aria-invalid="true"{{/isRefused}}>
        <p class="hint" id="{{name}}-hint">{{hint}}</p>
        </div>
        {{/members}}
        {{>reasonField}}
        <p class="choice"><button>Change policy</button> <a href="{{back}}">Cancel</a></p>
        </form>
        {{/isChangeable}}
        {{/main}}{{/frame}}
        """
    }
}
