/// The reason why a relying party did not start. It served no request.
public enum RelyingPartyStartError: Error, Hashable, Sendable {
    /// The store failed; see the error's ``RelyingPartyStoreError/kind``.
    case store(RelyingPartyStoreError)
    /// The keys in the store were sealed under another master key. Start with that master key.
    case masterKeyDoesNotFit
    /// The cryptographic library could not make a token signing key, which is a defect.
    case noSigningKey
}
