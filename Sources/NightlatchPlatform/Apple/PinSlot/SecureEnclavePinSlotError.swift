public import Nightlatch

/// Why a PIN slot of the Secure Enclave gave nothing.
public enum SecureEnclavePinSlotError: Error, Hashable, Sendable {
    /// There is no slot: none was sealed, or it was removed.
    case absent
    /// The chip refuses what the PIN became. Nothing was counted.
    case wrongPin
    /// The device has no Secure Enclave.
    case noSecureEnclave
    /// The key of the chip could not be made or used. `DeviceKeyError.Code.corrupt` is a key that the chip has lost, or one of another
    /// device, and what was sealed is lost; after `unavailable` nothing is known of the PIN: try again later.
    case key(DeviceKeyError)
    /// The record could not be read or written. With `StoreError.Code.conflict` another call has sealed meanwhile.
    case store(StoreError)
    /// The record was damaged. What was sealed in it is lost.
    case corrupt
    /// A later version of this package sealed it. Update the app; the slot is untouched.
    case newerFormat
    /// Nothing, or more than 128 bytes.
    case secretByteCount
}

extension SecureEnclavePinSlotError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .absent: "there is no PIN slot"
        case .wrongPin: "the PIN is wrong"
        case .noSecureEnclave: "this device has no Secure Enclave"
        case .key(let error): error.description
        case .store(let error): error.description
        case .corrupt: "the PIN slot was damaged"
        case .newerFormat: "the PIN slot was written by a newer version: update the app"
        case .secretByteCount: "a PIN slot takes from 1 to 128 bytes"
        }
    }
}
