public import NightlatchWire

/// Says that the person has just proved who they are with their full credentials: user name and password, an identity document,
/// whatever the service asks of somebody who comes with nothing. Biometrics, a PIN and a bound device are not among them.
///
/// Nightlatch cannot see such a proof. Either the relying party vouches for it (`checked`), or whoever makes this value does: then make it
/// in one place, beside the check.
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
        let binding = try await binding(of: vault, with: relyingParty)
        do {
            // The code that comes with the yes dies unused.
            _ = try await relyingParty.enrolmentCode(Credentials(user: binding.user, password: password))
        } catch {
            throw .relyingParty(error)
        }
        return FullCredentials()
    }

    /// Has the relying party say whether an enrolment code is good and whose it is: the app's backend gives one out to somebody whose
    /// credentials it has checked. Only a code of the user that the vault's device is bound to will do. It is not used up by this, and ends
    /// with its time.
    ///
    /// - Parameters:
    ///   - code: What the person has typed or scanned.
    ///   - relyingParty: The one that the device is bound with.
    ///   - vault: The vault whose PIN is to be set.
    /// - Throws: ``FullCredentialsError``; the vault is not changed.
    public static func checked(
        _ code: EnrolmentCode,
        by relyingParty: any RelyingParty,
        for vault: OpenVault
    ) async throws(FullCredentialsError) -> FullCredentials {
        let binding = try await binding(of: vault, with: relyingParty)
        let begun: BindingChallenge
        do {
            // No key is to be bound. A code that some key has used up is refused to this one.
            begun = try await relyingParty.beginBinding(BindingRequest(enrolmentCode: code, deviceKey: .random()))
        } catch {
            throw .relyingParty(error)
        }
        guard begun.user == binding.user else { throw .otherUser }
        return FullCredentials()
    }

    private static func binding(
        of vault: OpenVault,
        with relyingParty: any RelyingParty
    ) async throws(FullCredentialsError) -> DeviceBinding {
        let binding: DeviceBinding?
        do {
            binding = try await vault.deviceBinding()
        } catch {
            throw .vault(error)
        }
        guard let binding else { throw .notBound }
        guard binding.issuer == relyingParty.issuer else { throw .boundElsewhere(binding) }
        return binding
    }
}

/// Why the relying party did not vouch for a person.
public enum FullCredentialsError: Error, Hashable, Sendable {
    /// The vault's device is bound with no relying party, so nobody says whose password it would be.
    case notBound
    /// The device is bound with another relying party. Nothing was asked of this one.
    case boundElsewhere(DeviceBinding)
    /// The enrolment code is good, and another user's than the device's.
    case otherUser
    /// The vault could not be used.
    case vault(OpenVaultError)
    /// The relying party gave no answer, or no yes: `ProblemCode.credentialsRefused` is a wrong password, or too many of late,
    /// `ProblemCode.enrolmentCodeRefused` a code that is unknown, used or past its time.
    case relyingParty(RelyingPartyError)
}
