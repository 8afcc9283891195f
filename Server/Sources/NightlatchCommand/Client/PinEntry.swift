import Nightlatch

/// A person at the terminal who tries PINs for a vault, as often as it lets them.
struct PinEntry {
    let vault: Vault
    let pad: PadOptions

    /// Asks until `attempt` takes a PIN.
    ///
    /// - Throws: ``CommandFailure`` once there is nothing left to ask for, or what `attempt` throws besides ``WrongPin``.
    func run<Value>(reason: String, _ attempt: (borrowing Pin) async throws -> Value) async throws -> Value {
        let profile = try Profile.atThisTerminal
        // Before the terminal is taken.
        _ = try await challenge(for: profile, reason: reason, after: nil)
        return try await pad.withPrompt { prompt in
            var lastTry: PinRefusal?
            // Ends: when the PIN is right, the person cancels, or lockout refuses more.
            while true {
                let challenge = try await challenge(for: profile, reason: reason, after: lastTry)
                switch await prompt.enterPin(challenge) {
                case .pin(let box):
                    guard let pin = box.take() else { throw CommandFailure(.defect, "a PIN was taken twice") }
                    do {
                        return try await attempt(pin)
                    } catch let wrong as WrongPin {
                        lastTry = wrong.refusal
                    }
                case .cancelled:
                    throw CommandFailure(
                        .refused, lastTry == nil ? "Cancelled. Nothing was tried." : "Cancelled. What was wrong counts."
                    )
                case .forgotten: try await giveUp()
                // Not offered: this device has none.
                case .biometrics: continue
                }
            }
        }
    }

    /// What the person is asked next.
    private func challenge(
        for profile: Profile,
        reason: String,
        after lastTry: PinRefusal?
    ) async throws -> PinChallenge {
        let (wait, triesLeft): (Duration?, Int)
        switch try await OpenClient.stateForPrompt(of: vault) {
        case .ready(let left): (wait, triesLeft) = (nil, left)
        case .waiting(let time, let left): (wait, triesLeft) = (time, left)
        case .blocked(let unblocking): throw CommandFailure(.refused, unblocking.sentence)
        case .erased where lastTry != nil: throw CommandFailure(.refused, PinRefusal.erased.sentence)
        case .erased: throw CommandFailure(UnlockError.noVault)
        case .absent: throw CommandFailure(UnlockError.noVault)
        }
        return PinChallenge(
            profile: profile, purpose: .unlock(reason: reason),
            failureCount: LockoutPolicy.login.limit - triesLeft, triesLeft: triesLeft, lastTry: lastTry, wait: wait)
    }

    /// Gives up a PIN that the person has forgotten.
    private func giveUp() async throws {
        do {
            throw CommandFailure(.refused, try await vault.giveUpPin().sentence)
        } catch let error as UnlockError {
            throw CommandFailure(error)
        }
    }
}
