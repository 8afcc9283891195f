import Foundation
import NightlatchWire

/// A signed message of an exchange, as it was sent and decoded.
///
/// The page may show it: it is of no use without the token or the handle that was sent with it.
struct SignedMessage: Encodable, Hashable, Sendable {
    let name: String
    /// The compact JWS.
    let raw: String
    let header: String
    let claims: String

    /// Returns nil if `raw` is no compact JWS with JSON.
    init?(_ name: String, _ raw: String) {
        let parts = raw.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.json(parts[0]), let claims = Self.json(parts[1]) else { return nil }
        self.name = name
        self.raw = raw
        self.header = header
        self.claims = claims
    }

    /// Returns JSON that a person can read.
    private static func json(_ part: Substring) -> String? {
        guard let bytes = Base64URL.decode(part) else { return nil }
        do {
            let object = try JSONSerialization.jsonObject(with: Data(bytes))
            let text = try JSONSerialization.data(
                withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
            return String(decoding: text, as: UTF8.self)
        } catch {
            return nil
        }
    }
}

extension Exchange {
    /// The messages that a device signed for this request.
    var signedMessages: [SignedMessage] {
        var found: [SignedMessage?] = [proof.flatMap { SignedMessage("DPoP proof", $0) }]
        let members: JSONValue? = message()
        if let text = members?["message"]?.string { found.append(SignedMessage("Message of the device key", text)) }
        if case .login(let assertion, _, _)? = tokenRequest {
            found.append(SignedMessage("Login of the device key", assertion))
        }
        return found.compactMap(\.self)
    }
}
