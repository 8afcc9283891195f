package import Crypto
import Foundation

/// The secret that a chip seals under a PIN, and the keys and labels for sealing it.
package enum PinSlotSecret {
    /// The lengths of a secret, in bytes. The maximum is the limit of a TPM.
    package static let byteCounts = 1...128
    package static let saltByteCount = 32

    package static func newSalt() -> [UInt8] {
        unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Array($0) }
    }

    /// Returns the values that a slot is bound to.
    ///
    /// - Parameters:
    ///   - purpose: The purpose of the key.
    ///   - name: The slot's name.
    ///   - salt: The slot's salt.
    package static func description(_ purpose: StaticString, name: String, salt: [UInt8]) -> Transcript {
        var description = Transcript(purpose)
        description.append(name)
        description.append(salt)
        return description
    }

    /// Derives a 32-byte key for one purpose from a stretched PIN, by HKDF-SHA256 (RFC 5869).
    package static func key(
        of stretchedPin: borrowing SecretBytes,
        for purpose: StaticString,
        name: String,
        salt: [UInt8]
    ) -> SymmetricKey {
        let info = description(purpose, name: name, salt: salt)
        return CryptographyResidue.wiping {
            unsafe stretchedPin.withUnsafeBytes { bytes in
                unsafe HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: SymmetricKey(data: UnsafeRawBufferPointer(bytes)), salt: salt,
                    info: info.bytes, outputByteCount: 32)
            }
        }
    }
}

extension SecretBytes {
    /// Copies a key's bytes.
    package init(_ key: SymmetricKey) {
        unsafe self.init(byteCount: key.bitCount / 8) { memory in
            unsafe key.withUnsafeBytes { bytes in unsafe memory.copyMemory(from: bytes) }
        }
    }
}
