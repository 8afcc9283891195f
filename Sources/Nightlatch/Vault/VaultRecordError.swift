/// An error that occurs while using a vault's record.
public enum VaultRecordError: Error, Hashable, Sendable {
    /// The store could not be read or written. ``StoreError/Code`` says whether to try again.
    case store(StoreError)
    /// The record is damaged, or was changed by a party without the vault key. Trying again does not help.
    case corrupt
    /// A newer version of the app wrote the record. Update the app; the record is untouched.
    case newerFormat(found: Int, newestKnown: Int)
    /// The record demands key derivation parameters outside ``KeyDerivationBounds``, so another party has changed it.
    case unacceptableKeyDerivation
    /// The record was moved here from another store. That store has a key that authenticates the count of wrong PINs,
    /// and this store has none: here an attacker could set the count to any value. Open the vault in its original
    /// store.
    case noRecordKey
    /// The sealed secrets would exceed 124 KiB, where each byte of a secret counts as 1⅓ bytes. Store large data
    /// elsewhere, sealed under a key from the vault.
    case tooLarge
}

extension VaultRecordError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .store(let error): error.description
        case .corrupt: "the vault is damaged, or another program changed it"
        case .newerFormat(let found, let newest):
            "the vault was written by a newer version (format \(found); this version knows \(newest)): update the app"
        case .unacceptableKeyDerivation:
            "the vault's key derivation is outside the allowed range: another program changed it"
        case .noRecordKey:
            "the vault was moved here from another store, whose key authenticates it: open it there"
        case .tooLarge: "the secrets would take more than 124 KiB: store large data elsewhere"
        }
    }
}

extension VaultRecordError: RecordFormatError {}
