import Crypto
import Foundation
package import NightlatchWire

/// The SHA-256 of a blinded element, which identifies a guess that is requested again.
package struct BlindedElementHash: Hashable, Sendable {
    private let text: String

    package init(of element: BlindedElement) {
        text = Base64URL.encode(Array(SHA256.hash(data: Data(element.bytes))))
    }
}

extension BlindedElementHash: Codable {
    package init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
