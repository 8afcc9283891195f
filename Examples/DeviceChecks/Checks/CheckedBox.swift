import Foundation
import Nightlatch

// On Apple systems swift-crypto is CryptoKit.
#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The sealed boxes of these checks. Their content is known, because only the opening is checked.
enum CheckedBox {
    static let content = Array("device checks".utf8)
    static let info = Array("nightlatch device checks".utf8)
}

extension HPKEBox {
    /// Seals `content` to a key. Returns nil if CryptoKit refuses.
    init?(sealing content: [UInt8], to key: P256.KeyAgreement.PublicKey) {
        guard
            var sender = try? HPKE.Sender(
                recipientKey: key, ciphersuite: Self.biometricSuite, info: Data(CheckedBox.info)),
            let ciphertext = try? sender.seal(content)
        else { return nil }
        self.init(encapsulatedKey: [UInt8](sender.encapsulatedKey), ciphertext: [UInt8](ciphertext))
    }
}
