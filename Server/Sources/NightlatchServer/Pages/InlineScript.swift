import Crypto
import Foundation

/// A script in a page. The page's content security policy names it by its hash, so the browser runs no other
/// ([CSP level 3, section 2.3.1](https://www.w3.org/TR/CSP3/#framework-directive-source-list)).
package struct InlineScript: Sendable {
    private let text: String
    /// The source for `script-src`.
    package let source: String

    /// - Parameter text: The script, written by this project. It must not contain `</script` or `<!--`.
    package init(_ text: String) {
        self.text = text
        source = "'sha256-\(Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString())'"
    }

    package var element: HTML { HTML(stringLiteral: "<script>\(text)</script>") }
}
