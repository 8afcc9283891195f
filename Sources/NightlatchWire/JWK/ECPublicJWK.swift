public import Crypto
import Foundation

/// A public key on P-256 ([RFC 7518, section 6.2](https://www.rfc-editor.org/rfc/rfc7518#section-6.2)). The initialiser
/// checks that the point is on the curve.
public struct ECPublicJWK: Hashable, Sendable {
    /// The point's X and Y, concatenated, 32 bytes each.
    public let coordinates: [UInt8]
    /// The same point as a key for verifying signatures.
    public let verificationKey: P256.Signing.PublicKey

    /// Creates a key. Returns nil unless `coordinates` are the 64 bytes of a point on the curve.
    public init?(coordinates: [UInt8]) {
        guard let key = try? P256.Signing.PublicKey(rawRepresentation: coordinates) else { return nil }
        self.coordinates = coordinates
        verificationKey = key
    }

    public static func == (left: Self, right: Self) -> Bool { left.coordinates == right.coordinates }

    public func hash(into hasher: inout Hasher) { hasher.combine(coordinates) }

    var x: String { Base64URL.encode(Array(coordinates.prefix(32))) }
    var y: String { Base64URL.encode(Array(coordinates.suffix(32))) }
}
