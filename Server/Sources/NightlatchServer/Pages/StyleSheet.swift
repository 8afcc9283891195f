import Crypto
import Foundation
import HTTPTypes
package import Hummingbird
import NightlatchWire

/// A style sheet in its own file. Its address changes with its content, so browsers keep it.
package struct StyleSheet: Sendable {
    private let text: String
    /// A hash of the text, for the query of the address.
    package let version: String

    package init(_ text: String) {
        self.text = text
        version = String(Base64URL.encode(Array(SHA256.hash(data: Data(text.utf8)))).prefix(12))
    }

    package var response: Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "text/css; charset=utf-8", .cacheControl: "public, max-age=31536000, immutable",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
