internal import NightlatchWire

/// An error in the form of [RFC 6749, section 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2).
struct OAuthFault: Hashable, Sendable {
    private static let textByteCountLimit = 500

    let code: String
    let description: String?

    /// Returns nil if `body` is not such an error. PingAM's own errors have `reason` and `message`.
    init?(_ body: JSONObject) {
        guard let code = body["error"]?.string, body["reason"] == nil || body["message"] == nil else { return nil }
        self.code = code
        description = body["error_description"]?.string
    }

    var text: String { Self.text(code, description) }

    /// The code and the description, shortened.
    static func text(_ code: String, _ description: String?) -> String {
        let text = description.map { "\(code): \($0)" } ?? code
        return String(decoding: text.utf8.prefix(textByteCountLimit), as: UTF8.self)
    }
}
