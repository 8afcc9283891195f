/// Why a chip had no part in a PIN: what is to be done about it, and in words what chip or system said. Nothing is known of the PIN; one that
/// was tried meanwhile may have been counted by the chip.
public enum PinChipError: Error, Hashable, Sendable {
    /// The device has no such chip, or does not offer it.
    case absent(reason: String)
    /// Not now. Try again later.
    case unavailable(reason: String)
    /// It is not allowed. Somebody who looks after the device can change that.
    case refused(reason: String)
    /// Another chip has sealed it, or this one was cleared since. No PIN opens the vault any more: open it another way, and set a new PIN.
    case otherChip
    /// Nothing was sealed, because the chip counts no wrong PINs, or anybody could reset its count. Somebody who looks after the device can
    /// change that.
    case uncounted(reason: String)
    /// What is kept of the sealed keys, or one of them, is damaged or was lost by the chip. As after ``otherChip``; if it is the
    /// record that is damaged, ``ChipPinHardener/remove()`` comes first.
    case corrupt
    /// A later version of this package wrote it. Update the app; it is untouched.
    case newerFormat
    /// The record of sealed keys could not be read or written.
    case store(StoreError)
}

extension PinChipError: RecordFormatError {
    static func newerFormat(found: Int, newestKnown: Int) -> PinChipError { .newerFormat }
}

extension PinChipError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .absent(let reason), .unavailable(let reason), .refused(let reason), .uncounted(let reason): reason
        case .otherChip: "another chip has sealed the PIN's key, or this one was cleared"
        case .corrupt: "the PIN's key in the chip was damaged"
        case .newerFormat: "the PIN's key was sealed by a newer version: update the app"
        case .store(let error): error.description
        }
    }
}
