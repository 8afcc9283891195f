/// One unlock, from the first prompt to the outcome.
struct Unlocking: Sendable {
    let vault: Vault
    let profile: Profile
    let prompt: any PinPrompt
    let configuration: LocalAuthConfiguration
    let reason: String
    private(set) var events: [LocalAuthEvent] = []
    /// The length of the PIN that opened the vault.
    private(set) var pinLength: Int?
    private var hasBiometrics = false
    private var mayUseBiometrics = false
    private var biometricFailure: BiometricError?

    init(
        vault: Vault, profile: Profile, prompt: any PinPrompt, configuration: LocalAuthConfiguration, reason: String
    ) {
        self.vault = vault
        self.profile = profile
        self.prompt = prompt
        self.configuration = configuration
        self.reason = reason
    }

    mutating func run() async throws(LocalAuthError) -> UnlockOutcome {
        let (state, slots): (VaultState, Set<VaultSlot>)
        do {
            (state, slots) = (try await vault.stateForPrompt(), try await vault.slots())
        } catch {
            throw .vault(error)
        }
        hasBiometrics = configuration.order != .pinOnly && slots.contains(.biometrics)
        mayUseBiometrics = hasBiometrics && profile.permits(.biometrics)
        switch state {
        case .absent: return .missing
        case .erased: return .erased
        case .blocked(let unblocking):
            mayUseBiometrics = hasBiometrics
            return try await passBlockedPin(unblocking)
        case .ready, .waiting:
            if isBiometricsFirst, let outcome = try await useBiometrics() { return outcome }
            return try await usePin()
        }
    }

    private var isBiometricsFirst: Bool {
        switch configuration.order {
        case .preferred: profile.preferredAuthenticator == .biometrics
        case .biometricsFirst: true
        case .pinFirst, .pinOnly: false
        }
    }

    /// Opens a vault with a blocked PIN by biometrics, if the lockout policy still allows them. The configured order
    /// does not matter. Nor does the relying party's policy: nothing else opens the vault, so that a PIN can be set.
    private mutating func passBlockedPin(_ unblocking: Unblocking) async throws(LocalAuthError) -> UnlockOutcome {
        guard let outcome = try await useBiometrics() else {
            return biometricFailure == .cancelled ? .cancelled : .blocked(unblocking)
        }
        if case .unlocked = outcome { events.append(.pinBlocked(unblocking)) }
        return outcome
    }

    /// Opens a vault by biometrics that the profile's policy forbids, after the hardener has said that the PIN opens
    /// nothing any more. The vault decides whether the policy that it keeps allows that.
    private mutating func passLostPin(_ error: LocalAuthError) async throws(LocalAuthError) -> UnlockOutcome? {
        guard case .vault(let error) = error, let cause = error.cause as? PinHardenerError, cause.endsSlot,
            hasBiometrics, !mayUseBiometrics, !profile.permits(.biometrics)
        else { return nil }
        mayUseBiometrics = true
        return try await useBiometrics()
    }

    /// Asks for biometrics.
    ///
    /// - Parameter isChosen: Whether the user chose biometrics at the PIN prompt. Then a cancel leads back to that
    ///   prompt.
    /// - Returns: The outcome, or nil if the PIN is asked for next.
    private mutating func useBiometrics(isChosen: Bool = false) async throws(LocalAuthError) -> UnlockOutcome? {
        guard mayUseBiometrics else { return nil }
        guard !Task.isCancelled else { return .cancelled }
        do {
            return .unlocked(try await vault.unlockWithBiometrics(reason: reason), by: .biometrics)
        } catch {
            switch error {
            // The PIN prompt finds out whether the vault was erased or is missing.
            case .noVault: return nil
            case .blocked(let unblocking): return .blocked(unblocking)
            // The released key opens nothing. Perhaps only the slot of biometrics is damaged; the PIN has its own slot.
            case .vault(.corrupt): return note(.corrupt, isChosen: isChosen)
            case .vault(let error): throw .vault(error)
            case .notSetUp, .notPermitted:
                mayUseBiometrics = false
                return nil
            case .biometrics(let failure): return note(failure, isChosen: isChosen)
            }
        }
    }

    private mutating func note(_ failure: BiometricError, isChosen: Bool) -> UnlockOutcome? {
        biometricFailure = failure
        switch failure {
        case .cancelled: return configuration.cancelledBiometrics == .end && !isChosen ? .cancelled : nil
        case .pinChosen: return nil
        case .enrolmentChanged, .corrupt:
            // Biometrics do not work until they are set up again.
            mayUseBiometrics = false
        case .notRecognised, .unavailable, .interrupted, .failed: break
        }
        events.append(.biometricsFailed(failure))
        return nil
    }

    private mutating func usePin() async throws(LocalAuthError) -> UnlockOutcome {
        var entry = PinEntry(
            vault: vault, profile: profile, prompt: prompt, purpose: .unlock(reason: reason),
            showsWaits: configuration.showsWaits)
        // Ends: when the vault opens or the user cancels; the lockout policy bounds the number of wrong PINs.
        // Cancelling the task ends a prompt that never answers.
        while true {
            let availability = await vault.biometricAvailability()
            let isOffered = mayUseBiometrics && availability == .available
            let step: PinEntry.Step
            do throws(LocalAuthError) {
                step = try await entry.ask(offersBiometrics: isOffered, biometricFailure: biometricFailure)
            } catch {
                if let outcome = try await passLostPin(error) { return outcome }
                throw error
            }
            switch consume step {
            case .opened(let open, let pin):
                pinLength = pin.length
                return .unlocked(open, by: .pin)
            case .biometrics:
                if let outcome = try await useBiometrics(isChosen: true) { return outcome }
            case .again: biometricFailure = nil
            case .ended(.cancelled): return .cancelled
            case .ended(.waiting(let time, let triesLeft)): return .waiting(time, triesLeft: triesLeft)
            case .ended(.blocked(let unblocking)): return .blocked(unblocking)
            case .ended(.erased): return .erased
            case .ended(.missing): return .missing
            }
        }
    }
}

extension Vault {
    /// Returns whether the user could be asked for biometrics now. There is no prompt.
    func biometricAvailability() async -> BiometricAvailability {
        await biometrics?.availability() ?? .noHardware
    }
}
