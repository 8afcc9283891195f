package import Crypto
import Foundation

/// What a chip seals under a PIN, and what it seals it under.
package enum PinSlotSecret {
    /// How many bytes a chip seals: what a TPM takes at most.
    package static let byteCounts = 1...128
    package static let saltByteCount = 32

    package static func newSalt() -> [UInt8] {
        unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Array($0) }
    }

    /// What a slot is bound to.
    ///
    /// - Parameters:
    ///   - purpose: What it is for.
    ///   - name: The slot's.
    ///   - salt: The slot's.
    package static func description(_ purpose: StaticString, name: String, salt: [UInt8]) -> Transcript {
        var description = Transcript(purpose)
        description.append(name)
        description.append(salt)
        return description
    }

    /// 32 bytes for one purpose out of what was made of a PIN, by HKDF-SHA256 (RFC 5869).
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
    /// A copy of a key's bytes.
    package init(_ key: SymmetricKey) {
        unsafe self.init(byteCount: key.bitCount / 8) { memory in
            unsafe key.withUnsafeBytes { bytes in unsafe memory.copyMemory(from: bytes) }
        }
    }
}
