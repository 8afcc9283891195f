public import NightlatchWire

/// Says that the person has just proved who they are with their full credentials: user name and password, an identity document,
/// whatever the service asks of somebody who comes with nothing. Biometrics, a PIN and a bound device are not among them.
///
/// Nightlatch cannot see such a proof. Either the relying party vouches for it (``checked(_:by:for:)``), or whoever makes this value
/// does: then make it in one place, beside the check.
public struct FullCredentials: Sendable {
    private init() {}

    /// The app, or the server that it asked, has checked the credentials just now.
    public static func checkedByApp() -> FullCredentials { FullCredentials() }

    /// Has the relying party check the password of the user that the vault's device is bound to. No other user's password will do.
    ///
    /// - Parameters:
    ///   - password: What the person has typed.
    ///   - relyingParty: The one that the device is bound with.
    ///   - vault: The vault whose PIN is to be set.
    /// - Throws: ``FullCredentialsError``; the vault is not changed.
    public static func checked(
        _ password: Password,
        by relyingParty: any RelyingParty,
        for vault: OpenVault
    ) async throws(FullCredentialsError) -> FullCredentials {
        let binding: DeviceBinding?
        do {
            binding = try await vault.deviceBinding()
        } catch {
            throw .vault(error)
        }
        guard let binding else { throw .notBound }
        guard binding.issuer == relyingParty.issuer else { throw .boundElsewhere(binding) }
        do {
            // The code that comes with the yes dies unused.
            _ = try await relyingParty.enrolmentCode(Credentials(user: binding.user, password: password))
        } catch {
            throw .relyingParty(error)
        }
        return FullCredentials()
    }
}

/// Why the relying party did not vouch for a person.
public enum FullCredentialsError: Error, Hashable, Sendable {
    /// The vault's device is bound with no relying party, so nobody says whose password it would be.
    case notBound
    /// The device is bound with another relying party. Nothing was asked of this one.
    case boundElsewhere(DeviceBinding)
    /// The vault could not be used.
    case vault(OpenVaultError)
    /// The relying party gave no answer, or no yes: `ProblemCode.credentialsRefused` is a wrong password, or too many of late.
    case relyingParty(RelyingPartyError)
}
