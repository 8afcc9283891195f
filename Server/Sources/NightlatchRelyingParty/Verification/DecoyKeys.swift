import Crypto
import Foundation
package import NightlatchWire
import Synchronization

/// Keys that replace a device's where there is no device, or where the device's key cannot have made the signature of a message. So refusing
/// such a message takes about as much work as refusing a wrong signature. No message is ever accepted because of one.
///
/// The work depends on the algorithm and on the size of the key. An RSA signature is as long as its key, and a decoy is as long as the
/// signature that came. So the sender alone determines the work, and the time of a refusal says nothing of the device.
package struct DecoyKeys: Sendable {
    private let ec: Decoy?
    private let rsa = RSADecoys()

    fileprivate struct Decoy: Sendable {
        let key: PublicJWK
        /// As it would be in a store.
        let text: [UInt8]

        init(_ key: PublicJWK) {
            self.key = key
            text = Array(StrictJSON.encode(key))
        }
    }

    /// New keys, with which no message can be signed.
    package init() {
        ec = ECPublicJWK(coordinates: Array(P256.Signing.PrivateKey().publicKey.rawRepresentation))
            .map { Decoy(.ec($0)) }
    }

    /// The key to try in vain for a signature of so many bytes by `algorithm`.
    package func key(for algorithm: SignatureAlgorithm, signatureByteCount: Int) -> PublicJWK? {
        decoy(for: algorithm, signatureByteCount)?.key
    }

    /// As ``key(for:signatureByteCount:)``, read as a store reads a device's.
    package func readKey(for algorithm: SignatureAlgorithm, signatureByteCount: Int) -> PublicJWK? {
        // It was encoded above, so it can be read.
        decoy(for: algorithm, signatureByteCount).flatMap { try? PublicJWK(json: $0.text) }
    }

    private func decoy(for algorithm: SignatureAlgorithm, _ signatureByteCount: Int) -> Decoy? {
        switch algorithm {
        case .es256: ec
        case .rs256, .rs384, .rs512: rsa.decoy(byteCount: signatureByteCount)
        }
    }
}

/// RSA decoys of all sizes, each made when it is first needed.
private final class RSADecoys: Sendable {
    /// 2048 to 4096 bits, as keys of devices. A signature of another length is none of any key, and is refused without a calculation.
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
    /// Whether a signature of so many bytes can be one by this key: an RSA signature is as long as its key. Others are refused without a
    /// calculation, so they are tried against a decoy.
    package func canMakeSignature(byteCount: Int) -> Bool {
        switch self {
        case .ec: true
        case .rsa(let key): key.modulus.count == byteCount
        }
    }
}
