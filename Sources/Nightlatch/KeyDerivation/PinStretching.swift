import NightlatchArgon2
import NightlatchPBKDF2

extension KeyDerivationWorkspace {
    /// The length of a stretched PIN, in bytes.
    static let stretchedByteCount = 32

    /// Stretches `pin`. It runs off the caller's actor, for some tenths of a second.
    ///
    /// - Throws: ``KeyDerivationFailure/system(status:)``, which says nothing about the PIN.
    @concurrent
    consuming func stretch(
        _ pin: borrowing Pin,
        salt: [UInt8],
        byteCount: Int = stretchedByteCount
    ) async throws(KeyDerivationFailure) -> SecretBytes {
        try stretchNow(pin.digits, salt: salt, byteCount: byteCount)
    }

    /// Stretches `digits` on the calling thread.
    consuming func stretchNow(
        _ digits: borrowing SecretBytes, salt: [UInt8], byteCount: Int = stretchedByteCount
    ) throws(KeyDerivationFailure) -> SecretBytes {
        switch consume self {
        case .argon2id(var memory):
            return unsafe digits.withUnsafeBytes { digits in
                unsafe SecretBytes(byteCount: byteCount) { output in
                    unsafe salt.withUnsafeBytes { salt in
                        unsafe memory.deriveKey(from: UnsafeRawBufferPointer(digits), salt: salt, into: output)
                    }
                }
            }
        case .pbkdf2(let iterations):
            do throws(PBKDF2.Failure) {
                return try CryptographyResidue.wiping { () throws(PBKDF2.Failure) in
                    unsafe try digits.withUnsafeBytes { digits throws(PBKDF2.Failure) in
                        unsafe try SecretBytes(byteCount: byteCount) { output throws(PBKDF2.Failure) in
                            unsafe try PBKDF2.deriveKey(from: digits, salt: salt, iterations: iterations, into: output)
                        }
                    }
                }
            } catch {
                throw .system(status: error.status)
            }
        }
    }
}
