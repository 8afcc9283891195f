import Crypto
import Foundation
import NightlatchWire

/// The token of a session that a journey ended with: 32 random bytes.
package struct JourneyToken: Hashable, Sendable {
    package let text: String

    /// A new one.
    static func random() -> Self { Self(text: Base64URL.encode(RandomBytes.make(count: 32))) }

    /// One that was presented; nil for what cannot be one.
    package init?(_ text: String) {
        guard Challenge(rawValue: text) != nil else { return nil }
        self.text = text
    }

    private init(text: String) {
        self.text = text
    }

    /// By what the store knows it.
    var hash: JourneySessionHash { JourneySessionHash(SHA256.hash(data: Data(text.utf8))) }
}
