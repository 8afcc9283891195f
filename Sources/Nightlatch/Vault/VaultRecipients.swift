import Crypto
import Foundation
import NightlatchWire

/// The public keys that the vault key is wrapped for. A MAC under the vault key covers them, so a key that an attacker
/// added is detected before anything is wrapped for it.
///
/// They are secret, although they are public keys: without them, a party cannot seal anything that biometrics or the
/// recovery phrase open. So an attacker who can write the record, but never had the vault key, cannot replace the vault
/// with their own. A record in ``SealedFormat/first`` contains them in readable form; an upgrade marks these keys.
struct VaultRecipients: Codable, Hashable, Sendable {
    var biometrics: BiometricRecipient?
    var recovery: X25519PublicKey?
    /// True if ``recovery`` was once readable. Otherwise nil.
    var wasRecoveryReadable: Bool?

    static let none = VaultRecipients()

    private enum CodingKeys: String, CodingKey {
        case biometrics, recovery
        case wasRecoveryReadable = "recovery_was_readable"
    }

    /// Whether no key is marked as readable.
    var isUnmarked: Bool {
        biometrics?.wasReadable == nil && biometrics?.hasReadablePredecessor == nil && wasRecoveryReadable == nil
    }

    /// Returns the same recipients, with all keys marked as readable, or none.
    func marked(_ isMarked: Bool) -> VaultRecipients {
        var marked = self
        let mark: Bool? = isMarked ? true : nil
        marked.biometrics?.wasReadable = mark
        marked.biometrics?.hasReadablePredecessor = nil
        marked.wasRecoveryReadable = recovery == nil ? nil : mark
        return marked
    }
}

struct BiometricRecipient: Codable, Hashable, Sendable {
    let key: BiometricKeyID
    let publicKey: P256PublicKey
    /// True if ``publicKey`` was once readable. Otherwise nil.
    var wasReadable: Bool?
    /// True while the keyring may still contain the predecessor of this key, which was replaced because its public half
    /// was once readable. Otherwise nil.
    var hasReadablePredecessor: Bool?

    private enum CodingKeys: String, CodingKey {
        case key
        case hasReadablePredecessor = "readable_predecessor"
        case publicKey = "public_key"
        case wasReadable = "was_readable"
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
    /// Wraps `key` for `recipients`, with `pin` as the PIN slot.
    ///
    /// - Throws: ``VaultError/corrupt`` for a recipient that is not a public key.
    init(
        wrapping key: VaultKey,
        for recipients: VaultRecipients,
        epoch: UInt64,
        pin: PinSlot?
    ) throws(VaultError) {
        self.pin = pin
        biometricKey = key.format == .first ? nil : recipients.biometrics?.key
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
