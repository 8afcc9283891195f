/// An error of a chip that hardens a PIN.
///
/// Each case says what to do. Its `reason` is the text of the chip or the system.
///
/// The error says nothing about the PIN. The chip may have counted a PIN that was tried at the same time.
public enum PinChipError: Error, Hashable, Sendable {
    /// The device has no such chip, or does not offer it.
    case absent(reason: String)
    /// The chip is not available now. Try again later.
    case unavailable(reason: String)
    /// The system does not allow it. An administrator of the device can change that.
    case refused(reason: String)
    /// Another chip has sealed the secret, or this one was cleared since. No PIN opens the vault any more: open it with
    /// another slot, and set a new PIN.
    case otherChip
    /// Nothing was sealed, because the chip counts no wrong PINs, or any user could reset its count. An administrator
    /// of the device can change that.
    case uncounted(reason: String)
    /// The record of the sealed keys or one of the keys is damaged, or the chip has lost a key.
    ///
    /// Do the same as after ``otherChip``. If the record is damaged, call ``ChipPinHardener/remove()`` first.
    case corrupt
    /// A later version of this package wrote the record. Update the app; the record is unchanged.
    case newerFormat
}

extension PinChipError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .absent(let reason), .unavailable(let reason), .refused(let reason), .uncounted(let reason): reason
        case .otherChip: "another chip sealed the PIN's key, or this chip was cleared: set a new PIN"
        case .corrupt: "the PIN's key is damaged, or the chip has lost it: set a new PIN"
        case .newerFormat: "the PIN's key was sealed by a newer version: update the app"
        }
    }
}
