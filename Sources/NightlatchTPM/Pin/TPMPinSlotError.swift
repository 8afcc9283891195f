public import Nightlatch

/// An error that occurs while a TPM's PIN slot seals or releases a secret.
public enum TPMPinSlotError: Error, Hashable, Sendable {
    /// There is no slot: none was sealed, or it was removed.
    case absent
    /// The PIN is wrong, and the TPM has counted it. The value is the TPM's lockout state; nil if it could not be read.
    case wrongPin(TPMLockout?)
    /// The TPM tries no PIN for now, not even the right one. The value contains the longest wait.
    case lockedOut(TPMLockout)
    /// The secret was not sealed, because the TPM counts no wrong PINs, or any program could reset its count
    /// (``TPMCountProtection``).
    ///
    /// An administrator of the machine can change that.
    case uncounted(TPMLockout)
    /// The TPM could not be used, or it is another TPM. If a PIN was tried, it may have been counted.
    case tpm(TPMError)
    /// The record could not be read or written. `StoreError.Code.conflict` means that another call has sealed a secret
    /// at the same time.
    case store(StoreError)
    /// The record was damaged. The sealed secret is lost.
    case corrupt
    /// A later version of this package wrote the slot. Update the app; the slot is untouched.
    case newerFormat
    /// The secret is empty, or longer than the 128 bytes that the TPM seals.
    case secretByteCount
}

extension TPMPinSlotError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .absent: "there is no PIN slot in the TPM"
        case .wrongPin(let lockout): lockout.map { "the PIN is wrong; \($0)" } ?? "the PIN is wrong"
        case .lockedOut(let lockout): "no PIN is tried; \(lockout)"
        case .uncounted(let lockout):
            lockout.isCounting
                ? "the TPM's count is not protected: set a password for its lockout hierarchy" : "\(lockout)"
        case .tpm(let error): error.description
        case .store(let error): error.description
        case .corrupt: "the PIN slot is damaged"
        case .newerFormat: "the PIN slot was written by a newer version: update the app"
        case .secretByteCount: "the secret must have 1 to 128 bytes"
        }
    }
}
