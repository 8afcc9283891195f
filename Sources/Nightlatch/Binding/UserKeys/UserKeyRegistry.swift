import NightlatchWire

/// An error that occurs while reading or writing the registry of user keys.
///
/// An error never means that there are no keys. After an error the registry is unchanged. The exception is a store that
/// failed while it wrote: it has either the complete old registry or the complete new one.
public enum UserKeyRegistryError: Error, Hashable, Sendable {
    /// ``StoreError/Code`` says whether to try again.
    case store(StoreError)
    /// The registry is damaged. Trying again does not help. The keys themselves are not affected.
    case corrupt
    /// A newer version of the app wrote the registry. Update the app; the registry is untouched.
    case newerFormat(found: Int, newestKnown: Int)
}

extension UserKeyRegistryError: RecordFormatError {}

typealias UserKeyRegistry = Registry<UserKeyRegistryRecord>
