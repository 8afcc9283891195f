public import NightlatchWire

/// Asks the person of one profile who they are, and opens their vault.
///
/// Biometrics or the PIN come first, as the app says or the person prefers; whatever happens to biometrics, the PIN is the way on.
/// So it works on a device without a sensor, without an enrolled finger and without a passcode.
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
/// PINs of a profile are set through this service alone, so that the length that is remembered is the PIN's. Call one method at a
/// time: each of them may have a prompt on the screen.
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

    /// For a vault without a registry of profiles: a program that has one vault and one user.
    ///
    /// Nothing is remembered of the person: no length of the PIN, and no preference but the one in `profile`.
    ///
    /// - Parameters:
    ///   - vault: The vault.
    ///   - profile: What prompts are told of the person.
    ///   - prompt: Asks the person.
    ///   - configuration: How the person is asked.
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
    /// What comes first says ``LocalAuthConfiguration/order``. Where biometrics are not set up, deny the person, are locked out, cannot be
    /// used or have changed, and where the person would rather use the PIN, the PIN is asked for; again after each wrong one, until the
    /// vault opens, the person cancels, or no PIN may be tried any more. Success by biometrics leaves the count of failed PINs as it is.
    /// A vault whose PIN is blocked is opened by biometrics if the lockout policy leaves them.
    ///
    /// If the lockout policy wipes the vault, the profile is deregistered. If the store does not find the vault, nothing is removed.
    ///
    /// - Parameter reason: Why, in a sentence that the person is shown; not empty.
    /// - Throws: ``LocalAuthError``.
    public func unlock(reason: String) async throws(LocalAuthError) -> UnlockResult {
        try await unlock(reason: reason, configuration)
    }

    private func unlock(
        reason: String,
        _ configuration: LocalAuthConfiguration
    ) async throws(LocalAuthError) -> UnlockResult {
        let profile = try await registered()
        var unlocking = Unlocking(
            vault: subject.vault(of: profile), profile: profile, prompt: prompt, configuration: configuration,
            reason: reason)
        let outcome = try await unlocking.run()
        var events = unlocking.events
        if let length = unlocking.pinLength { await update(&events) { $0.pinHasOpened(length: length) } }
        if case .erased = outcome { await removeProfile(&events) }
        return UnlockResult(outcome: outcome, events: events)
    }

    /// How the profile's person can open the vault: always the PIN, and biometrics if they are set up.
    public func authenticators() async throws(LocalAuthError) -> Set<Authenticator> {
        let vault = subject.vault(of: try await registered())
        do {
            return try await vault.ways().contains(.biometrics) ? [.pin, .biometrics] : [.pin]
        } catch {
            throw .vault(error)
        }
    }

    /// Whether the person could be asked for biometrics now, and if not, why. Nobody is asked. A vault that was made without a keyring
    /// has ``BiometricAvailability/noHardware``.
    public func biometricAvailability() async throws(LocalAuthError) -> BiometricAvailability {
        await subject.vault(of: try await registered()).biometricAvailability()
    }

    /// Lets an authenticator open the vault from now on. Biometrics that were set up before the enrolment changed are set up anew.
    ///
    /// - Parameters:
    ///   - authenticator: ``Authenticator/biometrics``; the PIN is there from the beginning.
    ///   - open: The profile's vault.
    ///   - isPreferred: Whether it is to be asked for first.
    public func setUp(
        _ authenticator: Authenticator,
        in open: OpenVault,
        preferring isPreferred: Bool = true
    ) async throws(AuthenticatorError) {
        guard authenticator != .pin else { throw .pinIsAlwaysThere }
        do {
            try await open.setUpBiometrics()
        } catch {
            throw .biometrics(error)
        }
        if isPreferred { try await prefer(authenticator) }
    }

    /// Asks for the PIN, and lets an authenticator open the vault from now on.
    ///
    /// - Parameters:
    ///   - authenticator: ``Authenticator/biometrics``; the PIN is there from the beginning.
    ///   - reason: Why, in a sentence that the person is shown; not empty.
    ///   - isPreferred: Whether it is to be asked for first.
    /// - Returns: The outcome of the unlock. If it is ``UnlockOutcome/unlocked(_:by:)``, the authenticator is set up,
    ///   and the vault is open.
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
            throw .localAuth(error)
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

    /// Takes an authenticator away, with its keys. From then on the PIN is asked for first.
    ///
    /// - Parameters:
    ///   - authenticator: ``Authenticator/biometrics``; the PIN goes with the profile alone.
    ///   - open: The profile's vault. One that biometrics opened is worth nothing afterwards.
    public func remove(_ authenticator: Authenticator, from open: OpenVault) async throws(AuthenticatorError) {
        guard authenticator != .pin else { throw .pinIsAlwaysThere }
        do {
            try await open.removeBiometrics()
        } catch {
            throw .biometrics(error)
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

    func registered() async throws(LocalAuthError) -> Profile {
        switch subject {
        case .alone(let profile, _): return profile
        case .registered(let profile, let profiles):
            let found: Profile?
            do {
                found = try await profiles.profile(profile)
            } catch {
                throw .registry(error)
            }
            guard let found else { throw .notRegistered }
            return found
        }
    }

    /// Removes what a wiped vault has left. A failure is told and not lost: the next start goes on.
    func removeProfile(_ events: inout [LocalAuthEvent]) async {
        guard case .registered(let profile, let profiles) = subject else { return }
        do {
            try await profiles.deregister(profile)
        } catch {
            events.append(.profileNotRemoved(error))
        }
    }

    /// Brings the length that is remembered up to date, if the app wants it remembered.
    func update(_ events: inout [LocalAuthEvent], _ change: (inout ProfileEntry) -> Void) async {
        guard case .registered(let profile, let profiles) = subject, profiles.remembersPinLengths else { return }
        do {
            try await profiles.registry.updateRegistered(profile, change)
        } catch {
            events.append(.pinLengthNotWritten(error))
        }
    }
}

/// Whose vault a service opens.
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
}
