/// The required protection of a TPM's count of wrong authorisations against resets.
///
/// As TPMs are delivered, and as most distributions leave them, the count is not protected. Any program that can open
/// the TPM can reset it at any time, for example a thief's own system on a USB stick.
public enum TPMCountProtection: Hashable, Sendable {
    /// The lockout hierarchy must have a password (`tpm2_changeauth -c lockout`).
    case lockoutPassword
    /// None. The TPM's count then stops only attackers who can use the TPM only through this app.
    case none
}
