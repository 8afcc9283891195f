import NightlatchWire

/// Why the registry of user keys could not be read or written. That is never "no keys". Nothing is known to be changed, unless the
/// store failed in the act; then the registry is as it was or as it should be, whole.
public enum UserKeyRegistryError: Error, Hashable, Sendable {
    /// ``StoreError/Code`` says whether to try again.
    case store(StoreError)
    /// It is damaged. Trying again does not help; the keys themselves are not touched by that.
    case corrupt
    /// A newer version of the app wrote it. Update the app; the registry is untouched.
    case newerFormat(found: Int, newestKnown: Int)
}

extension UserKeyRegistryError: RecordFormatError {}

typealias UserKeyRegistry = Registry<UserKeyRegistryRecord>
