import Crypto
import Foundation
package import NightlatchWire

/// Keys that stand in where there is no device, or where a message's algorithm is none of its key, so that refusing such a message
/// takes about as much work as refusing a wrong signature. No message is ever accepted because of one.
package struct DecoyKeys: Sendable {
    /// As they would stand in a store.
    private let texts: [[UInt8]]
    private let keys: [PublicJWK]

    /// New keys, which nobody can sign with.
    package init() {
        var modulus = RandomBytes.make(count: 256)
        modulus[0] |= 0x80
        modulus[255] |= 1
        let ec = ECPublicJWK(coordinates: Array(P256.Signing.PrivateKey().publicKey.rawRepresentation))
        let rsa = RSAPublicJWK(modulus: modulus, exponent: [1, 0, 1])
        keys = [ec.map(PublicJWK.ec), rsa.map(PublicJWK.rsa)].compactMap(\.self)
        texts = keys.map { Array(StrictJSON.encode($0)) }
    }

    /// The key that does `algorithm`.
    package func key(for algorithm: SignatureAlgorithm) -> PublicJWK? {
        keys.first { $0.algorithms.contains(algorithm) }
    }

    /// As ``key(for:)``, read as a store reads a device's.
    package func readKey(for algorithm: SignatureAlgorithm) -> PublicJWK? {
        guard let index = keys.firstIndex(where: { $0.algorithms.contains(algorithm) }) else { return nil }
        // It was encoded above, so it can be read.
        return try? PublicJWK(json: texts[index])
    }
}
