import Crypto
import Foundation
package import NightlatchWire
import Synchronization

/// Keys that are tried instead of a device's key if there is no such device, or if the device's key cannot have made
/// the message's signature.
///
/// Refusing such a message then takes about as much work as refusing a wrong signature. No message is ever accepted
/// because of a decoy.
///
/// The work depends on the algorithm and on the key size. An RSA signature is as long as its key, and a decoy is as
/// long as the received signature. Only the sender therefore determines the work, and the time of a refusal reveals
/// nothing about the device.
package struct DecoyKeys: Sendable {
    private let ec: Decoy?
    private let rsa = RSADecoys()

    fileprivate struct Decoy: Sendable {
        let key: PublicJWK
        /// The key in its stored form.
        let text: [UInt8]

        init(_ key: PublicJWK) {
            self.key = key
            text = Array(StrictJSON.encode(key))
        }
    }

    /// Makes new keys, with which no message can be signed.
    package init() {
        ec = ECPublicJWK(coordinates: Array(P256.Signing.PrivateKey().publicKey.rawRepresentation))
            .map { Decoy(.ec($0)) }
    }

    /// The decoy for a signature of this length by `algorithm`.
    package func key(for algorithm: SignatureAlgorithm, signatureByteCount: Int) -> PublicJWK? {
        decoy(for: algorithm, signatureByteCount)?.key
    }

    /// As ``key(for:signatureByteCount:)``, parsed as a store parses a device's key.
    package func readKey(for algorithm: SignatureAlgorithm, signatureByteCount: Int) -> PublicJWK? {
        // This type encoded the text, so parsing cannot fail.
        decoy(for: algorithm, signatureByteCount).flatMap { try? PublicJWK(json: $0.text) }
    }

    private func decoy(for algorithm: SignatureAlgorithm, _ signatureByteCount: Int) -> Decoy? {
        switch algorithm {
        case .es256: ec
        case .rs256, .rs384, .rs512: rsa.decoy(byteCount: signatureByteCount)
        }
    }
}

/// RSA decoys of all sizes, each made when first needed.
private final class RSADecoys: Sendable {
    /// 2048 to 4096 bits, the sizes of device keys.
    ///
    /// No key makes signatures of other lengths, which are refused without any computation.
    private static let byteCounts = 256...512

    private let decoys = Mutex<[Int: DecoyKeys.Decoy]>([:])

    func decoy(byteCount: Int) -> DecoyKeys.Decoy? {
        let byteCount = min(max(byteCount, Self.byteCounts.lowerBound), Self.byteCounts.upperBound)
        return decoys.withLock { decoys in
            if let decoy = decoys[byteCount] { return decoy }
            var modulus = RandomBytes.make(count: byteCount)
            modulus[0] |= 0x80
            modulus[byteCount - 1] |= 1
            let decoy = RSAPublicJWK(modulus: modulus, exponent: [1, 0, 1]).map { DecoyKeys.Decoy(.rsa($0)) }
            decoys[byteCount] = decoy
            return decoy
        }
    }
}

extension PublicJWK {
    /// Whether this key can have made a signature of this length: an RSA signature is as long as its key.
    ///
    /// For other lengths a decoy is tried, because this key would refuse them without any computation.
    package func canMakeSignature(byteCount: Int) -> Bool {
        switch self {
        case .ec: true
        case .rsa(let key): key.modulus.count == byteCount
        }
    }
}
