import Crypto
import Foundation

/// A public key on P-256 ([RFC 7518, section 6.2](https://www.rfc-editor.org/rfc/rfc7518#section-6.2)): a point that is
/// known to be on the curve.
public struct ECPublicJWK: Hashable, Sendable {
    /// The point's X and Y, 32 bytes each, one after the other.
    public let coordinates: [UInt8]

    /// Returns nil unless `coordinates` is 64 bytes that name a point on the curve.
    public init?(coordinates: [UInt8]) {
        guard (try? P256.Signing.PublicKey(rawRepresentation: coordinates)) != nil else { return nil }
        self.coordinates = coordinates
    }

    var x: String { Base64URL.encode(coordinates.prefix(32)) }
    var y: String { Base64URL.encode(coordinates.suffix(32)) }
}
