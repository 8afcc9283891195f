/// The reason why a relying party did not start. It served no request.
public enum RelyingPartyStartError: Error, Hashable, Sendable {
    /// The store failed; see the error's ``RelyingPartyStoreError/kind``.
    case store(RelyingPartyStoreError)
    /// The keys in the store were sealed under another master key. Start with that master key.
    case masterKeyDoesNotFit
    /// The store is older than the heads in the file of exported heads: it was restored, or its audit log was cut off.
    ///
    /// If a copy was restored on purpose, accept it with `nightlatch admin accept-restore`.
    case setBack([AuditFinding], file: String)
    /// The file of exported heads cannot be read, so the age of the store is unknown.
    case auditHeads(AuditHeadFileError, file: String)
    /// The cryptographic library could not make a token signing key, which is a defect.
    case noSigningKey
}
