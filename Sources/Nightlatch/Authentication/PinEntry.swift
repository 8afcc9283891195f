/// Asks the user for a profile's PIN, one challenge at a time.
struct PinEntry: Sendable {
    let vault: Vault
    let profile: Profile
    let prompt: any PinPrompt
    let purpose: PinChallenge.Purpose
    let showsWaits: Bool
    private var lastTry: PinRefusal?
    /// The end of the wait that the last refusal asked for, by the vault's clock. It is kept here because the vault's
    /// state does not contain a wait that a hardener asked for.
    private var waitEnd: Duration?

    /// The result of one challenge.
    enum Step: ~Copyable {
        /// The PIN opened the vault.
        case opened(OpenVault, Pin)
        /// The user prefers to use biometrics.
        case biometrics
        /// The vault did not open. Call ``ask(offersBiometrics:biometricFailure:)`` again: it returns ``ended(_:)`` if
        /// the vault is erased, blocked or missing.
        case again
        case ended(End)
    }

    /// The reason why the user is not asked again.
    enum End: Hashable {
        case cancelled
        case waiting(Duration, triesLeft: Int)
        case blocked(Unblocking)
        case erased
        case missing
    }

    init(vault: Vault, profile: Profile, prompt: any PinPrompt, purpose: PinChallenge.Purpose, showsWaits: Bool) {
        self.vault = vault
        self.profile = profile
        self.prompt = prompt
        self.purpose = purpose
        self.showsWaits = showsWaits
    }

    /// Asks the user once.
    ///
    /// - Parameters:
    ///   - offersBiometrics: Whether the user may choose biometrics instead.
    ///   - biometricFailure: The reason why biometrics did not open the vault just before; nil if they were not asked
    ///     for.
    mutating func ask(
        offersBiometrics: Bool,
        biometricFailure: BiometricError?
    ) async throws(LocalAuthError) -> Step {
        let state: VaultState
        do {
            state = try await vault.stateForPrompt()
        } catch {
            throw .vault(error)
        }
        guard !Task.isCancelled else { return .ended(.cancelled) }
        let (triesLeft, wait): (Int, Duration?)
        switch state {
        case .absent: return .ended(.missing)
        case .erased: return .ended(.erased)
        case .blocked(let unblocking): return .ended(.blocked(unblocking))
        case .ready(let left):
            let rest = waitEnd.map { $0 - vault.clock.continuousTime() }.flatMap { $0 > .zero ? $0 : nil }
            if let rest, !showsWaits { return .ended(.waiting(rest, triesLeft: left)) }
            (triesLeft, wait) = (left, rest)
        case .waiting(let time, let left):
            guard showsWaits else { return .ended(.waiting(time, triesLeft: left)) }
            (triesLeft, wait) = (left, time)
        }
        let limit: Int
        let end: LockoutEnd?
        do {
            limit = try await vault.effectiveLockoutPolicy().limit
            // Only the prompt for the last attempt shows the end, and looking it up may read the store.
            end = triesLeft == 1 ? try await vault.effectiveEnd() : nil
        } catch {
            throw .vault(error)
        }
        let challenge = PinChallenge(
            profile: profile, purpose: purpose,
            attempts: .init(
                failureCount: limit - triesLeft, triesLeft: triesLeft, lastTry: lastTry,
                wait: wait, end: end),
            pinLength: profile.pinLength, offersBiometrics: offersBiometrics, biometricFailure: biometricFailure)
        switch await prompt.enterPin(challenge) {
        case .cancelled: return .ended(.cancelled)
        case .forgotten: return try await giveUp()
        case .biometrics: return offersBiometrics ? .biometrics : .again
        case .pin(let box):
            guard let pin = box.take() else { throw .emptyPinBox }
            return try await tryOut(pin)
        }
    }

    private mutating func tryOut(_ pin: consuming Pin) async throws(LocalAuthError) -> Step {
        do {
            return .opened(try await vault.unlock(with: pin), pin)
        } catch {
            switch error {
            case .noVault: return .again
            case .cancelled: return .ended(.cancelled)
            case .refused(let refusal): return step(after: refusal)
            case .vault(let error): throw .vault(error)
            }
        }
    }

    private mutating func giveUp() async throws(LocalAuthError) -> Step {
        do {
            return step(after: try await vault.giveUpPin())
        } catch {
            switch error {
            case .noVault: return .again
            case .vault(let error): throw .vault(error)
            // Giving up tries no PIN, so none of these errors happens.
            case .cancelled, .refused: return .ended(.cancelled)
            }
        }
    }

    private mutating func step(after refusal: PinRefusal) -> Step {
        switch refusal {
        case .blocked(let unblocking): return .ended(.blocked(unblocking))
        case .erased: return .ended(.erased)
        case .wrong(_, let wait):
            note(refusal, wait)
            return .again
        case .waiting(let wait, _):
            note(refusal, wait)
            return .again
        }
    }

    private mutating func note(_ refusal: PinRefusal, _ wait: Duration?) {
        lastTry = refusal
        waitEnd = wait.map { vault.clock.continuousTime() + $0 }
    }
}
