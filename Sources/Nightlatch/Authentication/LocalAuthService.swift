public import NightlatchWire

/// Asks the user of one profile to authenticate, and opens their vault.
///
/// Biometrics or the PIN come first, as the app or the user chooses. If biometrics do not work, the PIN is the
/// fallback. So the service works on a device without a sensor, without an enrolled finger and without a passcode.
///
/// ```swift
/// let auth = LocalAuthService(profile: alice.id, in: profiles, prompt: pinPad)
/// let result = try await auth.unlock(reason: "Show the balance")
/// switch result.outcome {
/// case .unlocked(let vault, by: _):
///     if result.hasEnrolmentChanged, await wantsFaceIDAgain() { try await auth.setUp(.biometrics, in: vault) }
///     show(vault)
/// case .cancelled: break
/// case .waiting(let time, triesLeft: _): showCountdown(time)
/// case .blocked(.newCredentials): showRegistration()
/// case .blocked(.recoveryPhrase): askForPhrase()
/// case .erased: showWelcome()
/// case .missing: offerToTryAgainOrSetUp()
/// }
/// ```
///
/// Set the PINs of a profile only through this service. Otherwise the remembered PIN length can become wrong. Call one
/// method at a time: each method may show a prompt.
public struct LocalAuthService: Sendable {
    package var profile: ProfileID { subject.profile }
    let subject: LocalAuthSubject
    let prompt: any PinPrompt
    let configuration: LocalAuthConfiguration

    public init(
        profile: ProfileID,
        in profiles: Profiles,
        prompt: any PinPrompt,
        configuration: LocalAuthConfiguration = LocalAuthConfiguration()
    ) {
        subject = .registered(profile, profiles)
        self.prompt = prompt
        self.configuration = configuration
    }

    /// Creates a service for a vault without a registry of profiles, such as the vault of a program with one user.
    ///
    /// The service stores nothing about the user. It uses the PIN length and the preferred authenticator in `profile`.
    ///
    /// - Parameters:
    ///   - vault: The vault.
    ///   - profile: The profile that prompts show to the user.
    ///   - prompt: The prompt that asks the user.
    ///   - configuration: The settings for how the user is asked.
    public init(
        vault: Vault,
        of profile: Profile,
        prompt: any PinPrompt,
        configuration: LocalAuthConfiguration = LocalAuthConfiguration()
    ) {
        subject = .alone(profile, vault)
        self.prompt = prompt
        self.configuration = configuration
    }

    /// Asks for biometrics or the PIN and opens the vault.
    ///
    /// ``LocalAuthConfiguration/order`` says which comes first. The PIN is asked for if biometrics are not set up, do
    /// not recognise the user, are locked out or cannot be used, if the enrolment has changed, and if the user
    /// prefers the PIN. After a wrong PIN the user is asked again, until the vault opens, the user cancels, or no
    /// PIN may be tried any more.
    ///
    /// An unlock by biometrics does not reset the count of failed PINs. Biometrics open a vault with a blocked PIN if
    /// the lockout policy allows it, also if the relying party's policy does not allow biometrics otherwise.
    ///
    /// If the lockout policy wipes the vault, the profile is deregistered. If the store does not find the vault,
    /// nothing is removed.
    ///
    /// - Parameter reason: The reason for the unlock, in a sentence that the user sees. It must not be empty.
    /// - Throws: ``LocalAuthError``.
    public func unlock(reason: String) async throws(LocalAuthError) -> UnlockResult {
        try await unlock(reason: reason, configuration)
    }

    private func unlock(
        reason: String,
        _ configuration: LocalAuthConfiguration
    ) async throws(LocalAuthError) -> UnlockResult {
        let profile = try await registeredProfile()
        var unlocking = Unlocking(
            vault: subject.vault(of: profile), profile: profile, prompt: prompt, configuration: configuration,
            reason: reason)
        let outcome = try await unlocking.run()
        var events = unlocking.events
        if let length = unlocking.pinLength { await update(&events) { $0.pinHasOpened(length: length) } }
        if case .unlocked(let open, by: _) = outcome {
            _ = await apply(open.policyWhenOpened, of: open, to: profile, &events)
        }
        if case .erased = outcome { await removeProfile(&events) }
        return UnlockResult(outcome: outcome, events: events)
    }

    /// Returns the authenticators that can open the vault: always the PIN, and biometrics if they are set up and the
    /// relying party's policy allows them. If no PIN opens the vault any more, biometrics do not need the policy.
    public func authenticators() async throws(LocalAuthError) -> Set<Authenticator> {
        let profile = try await registeredProfile()
        let slots: Set<VaultSlot>
        do {
            slots = try await subject.vault(of: profile).slots()
        } catch {
            throw .vault(error)
        }
        let mayBeBiometrics = profile.permits(.biometrics) || !slots.contains(.pin)
        return slots.contains(.biometrics) && mayBeBiometrics ? [.pin, .biometrics] : [.pin]
    }

    /// Returns whether the user could be asked for biometrics now, and if not, why. There is no prompt.
    ///
    /// A vault that was created without a keyring has ``BiometricAvailability/noHardware``.
    public func biometricAvailability() async throws(LocalAuthError) -> BiometricAvailability {
        await subject.vault(of: try await registeredProfile()).biometricAvailability()
    }

    /// Sets up an authenticator for the vault. Biometrics that stopped working after a change of the enrolment are set
    /// up again.
    ///
    /// - Parameters:
    ///   - authenticator: ``Authenticator/biometrics``. The PIN is always set up.
    ///   - open: The profile's vault.
    ///   - isPreferred: Whether the user is asked for this authenticator first.
    public func setUp(
        _ authenticator: Authenticator,
        in open: OpenVault,
        preferring isPreferred: Bool = true
    ) async throws(AuthenticatorError) {
        guard authenticator != .pin else { throw .pinIsAlwaysThere }
        let isPermitted: Bool
        do {
            isPermitted = try await permits(authenticator, in: open)
        } catch {
            throw .registry(error)
        }
        guard isPermitted else { throw .notPermitted }
        do {
            try await open.setUpBiometrics()
        } catch {
            throw AuthenticatorError(error)
        }
        if isPreferred { try await prefer(authenticator) }
    }

    /// Asks for the PIN, and sets up an authenticator for the vault.
    ///
    /// - Parameters:
    ///   - authenticator: ``Authenticator/biometrics``. The PIN is always set up.
    ///   - reason: The reason for the set-up, in a sentence that the user sees. It must not be empty.
    ///   - isPreferred: Whether the user is asked for this authenticator first.
    /// - Returns: The outcome of the unlock. With ``UnlockOutcome/unlocked(_:by:)`` the authenticator is set up and the
    ///   vault is open.
    /// - Throws: ``AuthenticatorError``; the vault is locked then.
    public func setUp(
        _ authenticator: Authenticator,
        reason: String,
        preferring isPreferred: Bool = true
    ) async throws(AuthenticatorError) -> UnlockResult {
        guard authenticator != .pin else { throw .pinIsAlwaysThere }
        var byPin = configuration
        byPin.order = .pinOnly
        let result: UnlockResult
        do {
            result = try await unlock(reason: reason, byPin)
        } catch {
            throw AuthenticatorError(error)
        }
        guard case .unlocked(let open, by: _) = result.outcome else { return result }
        do {
            try await setUp(authenticator, in: open, preferring: isPreferred)
        } catch {
            await open.lock()
            throw error
        }
        return result
    }

    /// Removes an authenticator and its keys. From then on the PIN is asked for first.
    ///
    /// - Parameters:
    ///   - authenticator: ``Authenticator/biometrics``. The PIN is removed only with the profile.
    ///   - open: The profile's vault. If biometrics opened it, this value is superseded when the call returns.
    public func remove(_ authenticator: Authenticator, from open: OpenVault) async throws(AuthenticatorError) {
        guard authenticator != .pin else { throw .pinIsAlwaysThere }
        do {
            try await open.removeBiometrics()
        } catch {
            throw AuthenticatorError(error)
        }
        try await prefer(.pin)
    }

    private func prefer(_ authenticator: Authenticator) async throws(AuthenticatorError) {
        guard case .registered(let profile, let profiles) = subject else { return }
        do {
            try await profiles.setPreferredAuthenticator(authenticator, for: profile)
        } catch {
            throw .preference(error)
        }
    }

    private func registeredProfile() async throws(LocalAuthError) -> Profile {
        do {
            return try await registered()
        } catch {
            throw .registry(error)
        }
    }

    func registered() async throws(RegistryError) -> Profile {
        switch subject {
        case .alone(let profile, _): return profile
        case .registered(let profile, let profiles):
            guard let found = try await profiles.profile(profile) else { throw .notRegistered }
            return found
        }
    }

    /// Removes the rest of a profile after its vault was wiped.
    ///
    /// An error is reported as an event. The next ``Profiles/resume()`` finishes the removal.
    func removeProfile(_ events: inout [LocalAuthEvent]) async {
        guard case .registered(let profile, let profiles) = subject else { return }
        do {
            try await profiles.deregister(profile)
        } catch {
            events.append(.profileNotRemoved(error))
        }
    }

    /// Updates the remembered PIN length, if the app wants it remembered.
    func update(_ events: inout [LocalAuthEvent], _ change: (inout ProfileEntry) -> Void) async {
        guard case .registered(let profile, let profiles) = subject, profiles.remembersPinLengths else { return }
        do {
            try await profiles.registry.updateRegistered(profile, change)
        } catch {
            events.append(.pinLengthNotWritten(error))
        }
    }
}

/// The profile and the vault that a service opens.
enum LocalAuthSubject: Sendable {
    case registered(ProfileID, Profiles)
    case alone(Profile, Vault)

    var profile: ProfileID {
        switch self {
        case .registered(let id, _): id
        case .alone(let profile, _): profile.id
        }
    }

    func vault(of profile: Profile) -> Vault {
        switch self {
        case .registered(_, let profiles): profiles.vault(of: profile)
        case .alone(_, let vault): vault
        }
    }

    /// The rules for the next PIN: those of the vault, with the demands of the profile's policy in place of its own.
    func pinPolicy(of profile: Profile) -> PinPolicy { vault(of: profile).pinPolicy.following(profile.policy) }
}
