import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// A page that sends the parameters of an authorization answer to the app as a form
/// ([OAuth 2.0 Form Post Response Mode](https://openid.net/specs/oauth-v2-form-post-response-mode-1_0.html)).
///
/// The page runs one script, which the content security policy names by its hash. Without scripts the user presses the
/// button.
struct FormPostPage {
    private let answer: AuthorizationAnswer

    init(_ answer: AuthorizationAnswer) {
        self.answer = answer
    }

    private static let script = InlineScript("document.forms[0].submit()")
    private static let policy =
        "default-src 'none'; script-src \(script.source); base-uri 'none'; frame-ancestors 'none'"

    var response: Response {
        let inputs = answer.fields.map { field -> HTML in
            #"<input type="hidden" name="\#(field.name)" value="\#(field.value)">\#("\n")"#
        }
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><title>Continue</title></head>
            <body>
            <form method="post" action="\(answer.target.uri.rawValue)">
            \(inputs)<button>Continue</button>
            </form>
            \(Self.script.element)
            </body>
            </html>
            """
        var response = Response(page: page.text)
        response.headers[.contentSecurityPolicy] = Self.policy
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
