/// Why a relying party did not start. Nothing was served.
public enum RelyingPartyStartError: Error, Hashable, Sendable {
    /// The store did not answer; see its kind.
    case store(StoreError)
    /// The keys in the store were sealed under another master key. Start with that one.
    case masterKeyDoesNotFit
    /// The cryptographic library made no key that signs tokens: a defect.
    case noSigningKey
}
