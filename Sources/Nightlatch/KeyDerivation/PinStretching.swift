import Foundation
import NightlatchPBKDF2

extension KeyDerivationParameters {
    /// How long a stretched PIN is.
    static let stretchedByteCount = 32

    /// Stretches `pin`. It runs off the caller's actor, for some tenths of a second.
    ///
    /// - Throws: ``KeyDerivationFailure`` if the system's function failed, which says nothing about the PIN.
    @concurrent
    func stretch(_ pin: borrowing Pin, salt: [UInt8]) async throws(KeyDerivationFailure) -> SecretBytes {
        switch self {
        case .pbkdf2(let iterations):
            do throws(PBKDF2.Failure) {
                return try CryptographyResidue.wiping { () throws(PBKDF2.Failure) in
                    unsafe try pin.digits.withUnsafeBytes { digits throws(PBKDF2.Failure) in
                        unsafe try SecretBytes(byteCount: Self.stretchedByteCount) { output throws(PBKDF2.Failure) in
                            unsafe try PBKDF2.deriveKey(from: digits, salt: salt, iterations: iterations, into: output)
                        }
                    }
                }
            } catch {
                throw KeyDerivationFailure(status: error.status)
            }
        }
    }
}

/// The system's key derivation function failed, for want of memory most likely. Nothing was learnt about the PIN.
public struct KeyDerivationFailure: Error, Hashable, Sendable {
    /// The status that the system's function gave.
    public let status: Int32
}
