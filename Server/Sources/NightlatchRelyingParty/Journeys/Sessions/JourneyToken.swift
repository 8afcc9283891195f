import Crypto
import Foundation
import NightlatchWire

/// The token of a session that a journey began: 32 random bytes.
package struct JourneyToken: Hashable, Sendable {
    package let text: String

    /// Makes a new token.
    static func random() -> Self { Self(text: Base64URL.encode(RandomBytes.make(count: 32))) }

    /// Parses a presented token; returns nil for text of another form.
    package init?(_ text: String) {
        guard Challenge(rawValue: text) != nil else { return nil }
        self.text = text
    }

    private init(text: String) {
        self.text = text
    }

    /// The hash under which the store keeps the session.
    var hash: JourneySessionHash { JourneySessionHash(SHA256.hash(data: Data(text.utf8))) }
}
