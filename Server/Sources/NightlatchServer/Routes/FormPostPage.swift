import Crypto
import Foundation
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

    private static let script = "document.forms[0].submit()"
    private static let policy: String = {
        let hash = Data(SHA256.hash(data: Data(script.utf8))).base64EncodedString()
        return "default-src 'none'; script-src 'sha256-\(hash)'; base-uri 'none'; frame-ancestors 'none'"
    }()

    var response: Response {
        let inputs = answer.fields.map {
            #"<input type="hidden" name="\#($0.name.htmlEscaped)" value="\#($0.value.htmlEscaped)">"#
        }.joined(separator: "\n")
        let page = """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><title>Continue</title></head>
            <body>
            <form method="post" action="\(answer.target.uri.rawValue.htmlEscaped)">
            \(inputs)
            <button>Continue</button>
            </form>
            <script>\(Self.script)</script>
            </body>
            </html>
            """
        var headers: HTTPFields = [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: Self.policy]
        headers[.cacheControl] = "no-store"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
    }
}

extension String {
    /// The text with the characters escaped that have a meaning in HTML's text and attributes.
    fileprivate var htmlEscaped: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
