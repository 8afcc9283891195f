import Crypto
import Foundation
import Nightlatch

/// What a stretched PIN becomes for a slot: the application password of the chip's key, and the key of the inner box.
struct PinSlotKeys: Sendable {
    static let saltByteCount = 32

    let salt: [UInt8]
    private let password: SymmetricKey
    private let inner: SymmetricKey

    static func newSalt() -> [UInt8] {
        unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Array($0) }
    }

    init(_ stretchedPin: borrowing SecretBytes, salt: [UInt8]) {
        self.salt = salt
        password = Self.derive(stretchedPin, salt: salt, for: "nightlatch secure enclave pin slot password")
        inner = Self.derive(stretchedPin, salt: salt, for: "nightlatch secure enclave pin slot box")
    }

    func access() -> KeyAccess {
        .applicationPassword(
            unsafe SecretBytes(byteCount: password.bitCount / 8) { memory in
                unsafe password.withUnsafeBytes { bytes in unsafe memory.copyMemory(from: bytes) }
            })
    }

    /// - Returns: Nil if the key agrees to nothing, as one that a broken chip has made.
    func seal(_ secret: borrowing SecretBytes, to key: P256.KeyAgreement.PublicKey) -> HPKEBox? {
        guard
            let box = unsafe secret.withUnsafeBytes({ bytes in
                unsafe try? AES.GCM.seal(bytes, using: inner, authenticating: salt).combined
            }),
            var sender = try? HPKE.Sender(recipientKey: key, ciphersuite: HPKEBox.biometricSuite, info: info),
            let ciphertext = try? sender.seal(box)
        else { return nil }
        return HPKEBox(encapsulatedKey: [UInt8](sender.encapsulatedKey), ciphertext: [UInt8](ciphertext))
    }

    /// - Returns: Nil if either box was changed, or is another slot's.
    func open(_ box: HPKEBox, with agreed: AgreedSecret) -> SecretBytes? {
        let combined: SecretBytes
        do {
            // What this throws is the agreement's own, which has happened already.
            guard let opened = try box.open(with: agreed, suite: HPKEBox.biometricSuite, info: [UInt8](info)) else {
                return nil
            }
            combined = opened
        } catch {
            return nil
        }
        guard let sealed = try? AES.GCM.SealedBox(combined: combined.sharedData()),
            var secret = try? AES.GCM.open(sealed, using: inner, authenticating: salt)
        else { return nil }
        return SecretBytes(wiping: &secret)
    }

    private var info: Data { Data("nightlatch secure enclave pin slot v1".utf8) + Data(salt) }

    private static func derive(
        _ stretchedPin: borrowing SecretBytes, salt: [UInt8], for purpose: String
    ) -> SymmetricKey {
        unsafe stretchedPin.withUnsafeBytes { bytes in
            unsafe HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: UnsafeRawBufferPointer(bytes)), salt: salt,
                info: Data(purpose.utf8), outputByteCount: 32)
        }
    }
}
