public import Nightlatch

/// Why a TPM's PIN slot gave nothing.
public enum TPMPinSlotError: Error, Hashable, Sendable {
    /// There is no slot: none was sealed, or it was removed.
    case absent
    /// The PIN is wrong. The TPM has counted it, and says how matters stand; nil if it could not be asked any more.
    case wrongPin(TPMLockout?)
    /// The TPM tries no PIN for now, the right one neither. It says for how long.
    case lockedOut(TPMLockout)
    /// A secret was not sealed, because the TPM counts no wrong PINs, or anybody could reset its count (``TPMCountProtection``). Somebody who
    /// looks after the machine can set that right.
    case uncounted(TPMLockout)
    /// The TPM could not be used, or is another one. A PIN that was tried meanwhile may have been counted.
    case tpm(TPMError)
    /// The record could not be read or written. With `StoreError.Code.conflict` another call has sealed meanwhile.
    case store(StoreError)
    /// The record was damaged. What was sealed in it is lost.
    case corrupt
    /// A later version of this package sealed it. Update the app; the slot is untouched.
    case newerFormat
    /// The TPM seals no more than 128 bytes, and nothing makes no sense.
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
                ? "anybody could reset the TPM's count: its lockout hierarchy has no password" : "\(lockout)"
        case .tpm(let error): error.description
        case .store(let error): error.description
        case .corrupt: "the PIN slot was damaged"
        case .newerFormat: "the PIN slot was written by a newer version: update the app"
        case .secretByteCount: "a TPM seals from 1 to 128 bytes"
        }
    }
}
