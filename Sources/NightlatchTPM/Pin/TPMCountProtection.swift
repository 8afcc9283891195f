/// What must keep others from resetting a TPM's count of wrong authorisations.
///
/// As TPMs are delivered, and as most distributions leave them, nothing does: whoever can open the TPM, a thief with a system of their own on
/// a stick for one, resets the count as often as they like.
public enum TPMCountProtection: Hashable, Sendable {
    /// The lockout hierarchy must have a password (`tpm2_changeauth -c lockout`).
    case lockoutPassword
    /// Nothing. The TPM's count then holds up those alone who cannot open the TPM but through this app.
    case none
}
