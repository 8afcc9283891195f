import Crypto
import Nightlatch

/// What a stretched PIN becomes for a slot: the application password of the chip's key, and the key of the inner box. Both, and both
/// boxes, are the slot's of this name alone.
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

    /// - Returns: Nil if the key agrees to nothing, as one that a broken chip has made.
    func seal(_ secret: borrowing SecretBytes, to key: P256.KeyAgreement.PublicKey) -> HPKEBox? {
        let box = SealedBytes(sealing: secret, under: inner, authenticating: description)
        // It throws for such a key alone.
        return try? HPKEBox(
            sealing: SecretBytes(copying: box.bytes), to: key, suite: HPKEBox.biometricSuite, info: description)
    }

    /// - Returns: Nil if either box was changed, or is another slot's.
    func open(_ box: HPKEBox, with agreed: AgreedSecret) -> SecretBytes? {
        // What this throws is the agreement's own, which has happened already.
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
