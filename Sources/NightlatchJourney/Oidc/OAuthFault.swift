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

    /// An error in the target of a redirect.
    init(code: String, description: String?) {
        self.code = code
        self.description = description
    }

    /// The code and the description, shortened.
    var text: String { Self.shortened(description.map { "\(code): \($0)" } ?? code) }

    /// Whether a new login may help. PingAM answers to a session that has ended with `invalid_request` and this
    /// description.
    var asksForLogin: Bool {
        switch code {
        case "login_required", "access_denied": true
        case "invalid_request": description == "Failed to get resource owner session from request"
        default: false
        }
    }

    /// The message of an error in PingAM's own form, shortened. Nil if `body` is not one.
    static func ownMessage(_ body: JSONObject) -> String? {
        guard body["code"]?.integer != nil, body["reason"]?.string != nil else { return nil }
        return body["message"]?.string.map(shortened)
    }

    private static func shortened(_ text: String) -> String {
        String(decoding: text.utf8.prefix(textByteCountLimit), as: UTF8.self)
    }
}
