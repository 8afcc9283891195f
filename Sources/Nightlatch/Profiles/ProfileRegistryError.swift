/// An error that occurs while reading or writing the registry of profiles.
///
/// After an error the registry is unchanged. The exception is a store that failed while it wrote: it has either the
/// complete old registry or the complete new one.
public enum ProfileRegistryError: Error, Hashable, Sendable {
    /// The store could not be read or written. ``StoreError/Code`` says whether to try again.
    case store(StoreError)
    /// The registry is damaged. Trying again does not help. The vaults are not affected.
    case corrupt
    /// A newer version of the app wrote the registry. Update the app; the registry is untouched.
    case newerFormat(found: Int, newestKnown: Int)
}

extension ProfileRegistryError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .store(let error): error.description
        case .corrupt: "the registry of profiles is damaged"
        case .newerFormat(let found, let newest):
            "the registry of profiles was written by a newer version (format \(found); this version knows \(newest)): "
                + "update the app"
        }
    }
}

extension ProfileRegistryError: RecordFormatError {}
