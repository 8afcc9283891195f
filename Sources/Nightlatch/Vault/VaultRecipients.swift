import Crypto
import Foundation
import NightlatchWire

/// The public keys to which the vault key is wrapped. They stand in the content, so the vault key vouches for them: a planted
/// one is found before anything is ever wrapped to it.
struct VaultRecipients: Codable, Hashable, Sendable {
    var biometrics: BiometricRecipient?
    var recovery: X25519PublicKey?

    static let none = VaultRecipients()
}

struct BiometricRecipient: Codable, Hashable, Sendable {
    let key: BiometricKeyID
    let publicKey: P256PublicKey

    private enum CodingKeys: String, CodingKey {
        case key
        case publicKey = "public_key"
    }
}

/// A public key of P-256 as an uncompressed point (SEC 1, section 2.3.3).
typealias P256PublicKey = Identifier<P256PublicKeyRule>

enum P256PublicKeyRule: BinaryIdentifierRule {
    static let name = "P-256 public key"
    static let byteCount = 65
}

/// A public key of X25519 ([RFC 7748](https://www.rfc-editor.org/rfc/rfc7748#section-5)).
typealias X25519PublicKey = Identifier<X25519PublicKeyRule>

enum X25519PublicKeyRule: BinaryIdentifierRule {
    static let name = "X25519 public key"
    static let byteCount = 32
}

extension VaultSlots {
    /// The slots in which `key` is wrapped for `recipients`, with `pin` beside them.
    ///
    /// - Throws: ``VaultRecordError/corrupt`` for a recipient that is no public key.
    init(
        wrapping key: VaultKey,
        for recipients: VaultRecipients,
        epoch: UInt64,
        pin: PinSlot?
    ) throws(VaultRecordError) {
        self.pin = pin
        do {
            biometrics = try recipients.biometrics.map { recipient in
                let publicKey = try P256.KeyAgreement.PublicKey(x963Representation: recipient.publicKey.bytes)
                return try HPKEBox(
                    sealing: key.bytes, to: publicKey, suite: HPKEBox.biometricSuite,
                    info: key.slotInfo(.biometrics, epoch: epoch))
            }
            recovery = try recipients.recovery.map { publicKey in
                let publicKey = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey.bytes)
                return try HPKEBox(
                    sealing: key.bytes, to: publicKey, suite: HPKEBox.recoverySuite,
                    info: key.slotInfo(.recoveryPhrase, epoch: epoch))
            }
        } catch {
            throw .corrupt
        }
    }
}
