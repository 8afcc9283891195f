public import Nightlatch

/// The reason why a PIN slot of the Secure Enclave did not open or seal.
public enum SecureEnclavePinSlotError: Error, Hashable, Sendable {
    /// The slot does not exist: it was never sealed, or it was removed.
    case absent
    /// The chip refuses the PIN. No attempt was counted.
    case wrongPin
    /// The device has no Secure Enclave.
    case noSecureEnclave
    /// The chip's key could not be made or used.
    ///
    /// With `DeviceKeyError.Code.corrupt`, the chip lost the key, or the key belongs to another device. The secret is
    /// lost. After `unavailable`, nothing is known about the PIN: try again later.
    case key(DeviceKeyError)
    /// The record could not be read or written. With `StoreError.Code.conflict`, another call sealed at the same time.
    case store(StoreError)
    /// The record is damaged. Its secret is lost.
    case corrupt
    /// A later version of this package sealed the record. Update the app. The slot is unchanged.
    case newerFormat
    /// The secret is empty or has more than 128 bytes.
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
        case .corrupt: "the PIN slot is damaged"
        case .newerFormat: "the PIN slot was written by a newer version: update the app"
        case .secretByteCount: "the secret must have 1 to 128 bytes"
        }
    }
}
