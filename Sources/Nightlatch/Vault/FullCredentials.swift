public import NightlatchWire

/// A statement that the user has just proved their identity with full credentials.
///
/// Full credentials are a user name and password, an identity document, or whatever else the service asks of a user
/// without a device. Biometrics, a PIN and a bound device are not full credentials.
///
/// Nightlatch cannot see such a proof. Either the relying party confirms it (`checked`), or the code that creates this
/// value vouches for it. In the second case, create the value in one place, next to the check.
public struct FullCredentials: Sendable {
    private init() {}

    /// Returns the statement that the app, or a server that the app asked, has just checked the credentials.
    public static func checkedByApp() -> FullCredentials { FullCredentials() }

    /// Asks the relying party to check a user's password.
    ///
    /// The user is the one that the vault's device is bound to; no other user's password is accepted.
    ///
    /// - Parameters:
    ///   - password: The password that the user typed.
    ///   - relyingParty: The relying party that the device is bound with.
    ///   - vault: The vault that gets a new PIN.
    /// - Throws: ``FullCredentialsError``; the vault is not changed.
    public static func checked(
        _ password: Password,
        by relyingParty: any RelyingParty,
        for vault: OpenVault
    ) async throws(FullCredentialsError) -> FullCredentials {
        let binding = try await binding(of: vault, with: relyingParty)
        do {
            // The answer contains an enrolment code, which is not used and expires.
            _ = try await relyingParty.enrolmentCode(Credentials(user: binding.user, password: password))
        } catch {
            throw .relyingParty(error)
        }
        return FullCredentials()
    }

    /// Asks the relying party whether an enrolment code is valid and which user it is for.
    ///
    /// The app's backend issues such a code to a user after it has checked their credentials. Only a code for the user
    /// that the vault's device is bound to is accepted. The check does not use up the code; it stays valid until it
    /// expires.
    ///
    /// - Parameters:
    ///   - code: The code that the user typed or scanned.
    ///   - relyingParty: The relying party that the device is bound with.
    ///   - vault: The vault that gets a new PIN.
    /// - Throws: ``FullCredentialsError``; the vault is not changed.
    public static func checked(
        _ code: EnrolmentCode,
        by relyingParty: any RelyingParty,
        for vault: OpenVault
    ) async throws(FullCredentialsError) -> FullCredentials {
        let binding = try await binding(of: vault, with: relyingParty)
        let begun: BindingChallenge
        do {
            // This random key is never bound. The relying party refuses the code if another key has used it up.
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

/// An error that occurs while the relying party checks full credentials.
public enum FullCredentialsError: Error, Hashable, Sendable {
    /// The vault's device is not bound with a relying party, so the user is unknown.
    case notBound
    /// The device is bound with another relying party. The relying party of the call was not asked.
    case boundElsewhere(DeviceBinding)
    /// The enrolment code is valid, but for another user than the device's.
    case otherUser
    /// The vault could not be used.
    case vault(VaultError)
    /// The relying party did not answer, or refused.
    ///
    /// `ProblemCode.credentialsRefused` means a wrong password, or too many wrong ones recently.
    /// `ProblemCode.enrolmentCodeRefused` means a code that is unknown, used or expired.
    case relyingParty(RelyingPartyError)
}
