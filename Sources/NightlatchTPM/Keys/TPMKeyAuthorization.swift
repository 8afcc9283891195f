import Crypto
import Foundation
import Nightlatch
import NightlatchWire

/// The TPM authorisation for the access that a key requires.
struct TPMKeyAuthorization: Sendable {
    let protection: TPMKeyRecord.Protection
    let value: TPMAuthorization

    init(_ access: borrowing KeyAccess, tag: KeyTag) {
        switch access {
        case .unattended:
            protection = .open
            value = .empty
        case .applicationPassword(let password):
            protection = .applicationPassword
            value = TPMAuthorization(Self.derive(password, tag: tag))
        }
    }

    /// Derives an authorisation of the TPM's size from a password of any size, different for each tag.
    private static func derive(_ password: borrowing SecretBytes, tag: KeyTag) -> SecretBytes {
        let key = unsafe password.withUnsafeBytes { password in
            unsafe HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: UnsafeRawBufferPointer(password)),
                info: Data("nightlatch tpm key".utf8) + Data(tag.bytes),
                outputByteCount: TPMAuthorization.byteCountLimit)
        }
        return unsafe SecretBytes(byteCount: TPMAuthorization.byteCountLimit) { memory in
            unsafe key.withUnsafeBytes { key in unsafe memory.copyMemory(from: key) }
        }
    }
}
