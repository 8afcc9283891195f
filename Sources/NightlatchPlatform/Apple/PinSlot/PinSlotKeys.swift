import Crypto
import Nightlatch

/// The keys that a slot derives from a stretched PIN: the application password of the chip's key, and the key of the
/// inner sealed box. The slot's name is an input of both keys and both boxes.
struct PinSlotKeys: Sendable {
    let salt: [UInt8]
    private let name: String
    private let password: SymmetricKey
    private let inner: SymmetricKey

    init(_ stretchedPin: borrowing SecretBytes, name: String, salt: [UInt8]) {
        self.salt = salt
        self.name = name
        password = PinSlotSecret.key(
            of: stretchedPin, for: "nightlatch secure enclave pin slot password", name: name, salt: salt)
        inner = PinSlotSecret.key(
            of: stretchedPin, for: "nightlatch secure enclave pin slot box", name: name, salt: salt)
    }

    func access() -> KeyAccess { .applicationPassword(SecretBytes(password)) }

    /// Seals `secret`.
    ///
    /// - Returns: The sealed box, or nil if key agreement with `key` fails, for example with a key of a broken chip.
    func seal(_ secret: borrowing SecretBytes, to key: P256.KeyAgreement.PublicKey) -> HPKEBox? {
        let box = SealedBytes(sealing: secret, under: inner, authenticating: description)
        // This throws only if key agreement with `key` fails.
        return try? HPKEBox(
            sealing: SecretBytes(copying: box.bytes), to: key, suite: HPKEBox.biometricSuite, info: description)
    }

    /// Opens both sealed boxes.
    ///
    /// - Returns: The secret, or nil if either box was changed or belongs to another slot.
    func open(_ box: HPKEBox, with agreed: AgreedSecret) -> SecretBytes? {
        // The chip's part is done, so an error here means a damaged box.
        guard
            let combined = try? box.open(
                with: agreed, suite: HPKEBox.biometricSuite, info: [UInt8](description.bytes))
        else { return nil }
        let sealed = unsafe SealedBytes(bytes: combined.withUnsafeBytes { unsafe Array($0) })
        return sealed.open(under: inner, authenticating: description)
    }

    private var description: Transcript {
        PinSlotSecret.description("nightlatch secure enclave pin slot", name: name, salt: salt)
    }
}
