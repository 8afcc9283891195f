public import NightlatchWire

/// What came of a new PIN.
public struct NewPinResult: Sendable {
    public let outcome: NewPinOutcome
    /// What else the app should know.
    public let events: [LocalAuthEvent]
}

/// How it ended, as a screen needs it.
public enum NewPinOutcome: Sendable {
    /// The new PIN opens the vault and no other does. The vault is open.
    case changed(OpenVault)
    /// The person cancelled. The PIN is as it was.
    case cancelled
    /// As ``UnlockOutcome/waiting(_:triesLeft:)``, on the way to the old PIN.
    case waiting(Duration, triesLeft: Int)
    /// As ``UnlockOutcome/blocked(_:)``, on the way to the old PIN.
    case blocked(Unblocking)
    /// As ``UnlockOutcome/erased``, on the way to the old PIN.
    case erased
    /// As ``UnlockOutcome/missing``, on the way to the old PIN.
    case missing
}

/// Why there is no new PIN.
public enum NewPinError<Failure: Error>: Error {
    /// Nobody could be asked, or the answer could not be used. The PIN is as it was.
    case localAuth(LocalAuthError)
    /// The vault did not take the PIN. A length that was remembered is settled by the next unlock.
    case vault(Failure)
}

extension NewPinError: Equatable where Failure: Equatable {}
extension NewPinError: Hashable where Failure: Hashable {}

extension LocalAuthService {
    /// Asks for the old PIN, then for a new one, and changes it.
    ///
    /// The old PIN is tried before the person chooses a new one, and wiped then; what stays is the open vault, which locks by itself if
    /// the person takes too long (``AutoLock``): then this throws ``ChangePinError/vault(_:)`` and can be called again. If the new PIN
    /// is of another length, the length that is remembered is forgotten just before and written again when the PIN has changed, so a
    /// crash never leaves a length that is not the PIN's.
    ///
    /// The vault gets a new key, so its other openings in this process end as ``OpenVaultEnd/superseded``, and screens that show them lock.
    ///
    /// - Parameter shown: An opening of the same vault that goes on with the new PIN: that of the screen on which the PIN is changed. If the PIN
    ///   is changed, it is the one in the result, unless it has locked before.
    public func changePin(in shown: OpenVault? = nil) async throws(NewPinError<ChangePinError>) -> NewPinResult {
        let profile: Profile
        do {
            profile = try await registered()
        } catch {
            throw .localAuth(error)
        }
        let vault = subject.vault(of: profile)
        var entry = PinEntry(
            vault: vault, profile: profile, prompt: prompt, purpose: .changePin, showsWaits: configuration.showsWaits)
        // Ends: by what the prompt answers; lockout bounds the PINs. A prompt that never answers otherwise is cancelled with its task.
        while true {
            let step: PinEntry.Step
            do {
                step = try await entry.ask(offersBiometrics: false, biometricFailure: nil)
            } catch {
                throw .localAuth(error)
            }
            switch consume step {
            case .again: continue
            case .biometrics: continue
            case .ended(let end): return await result(end)
            case .opened(let open, _): return try await changePin(of: profile, in: open, keepingOpen: shown)
            }
        }
    }

    /// The vault stays open only if its PIN was changed.
    private func changePin(
        of profile: Profile,
        in open: OpenVault,
        keepingOpen shown: OpenVault?
    ) async throws(NewPinError<ChangePinError>) -> NewPinResult {
        // Nobody is to choose a PIN that cannot be set.
        if let unreached = await open.unreached {
            await open.lock()
            throw .vault(.rekey(.hardener(unreached)))
        }
        let result: NewPinResult
        do {
            result = try await setPin(of: profile, purpose: .changePin) { new throws(ChangePinError) in
                try await open.changePin(to: new, keepingOpen: shown)
                guard let shown, await !shown.isLocked else { return open }
                await open.lock()
                return shown
            }
        } catch {
            await open.lock()
            throw error
        }
        if case .cancelled = result.outcome { await open.lock() }
        guard open.foreignGuesses != nil || open.rekeyFailure != nil else { return result }
        let found = LocalAuthEvent.foundAtUnlock(open.foreignGuesses, open.rekeyFailure)
        return NewPinResult(outcome: result.outcome, events: [found] + result.events)
    }

    /// Asks for a PIN for a vault whose own was blocked or given up, and that biometrics have opened.
    ///
    /// - Parameters:
    ///   - open: The profile's vault. It stays open.
    ///   - credentials: That the person has just proved who they are with their full credentials.
    ///   - code: As ``OpenVault/setPin(_:after:code:)`` needs it.
    public func setPin(
        in open: OpenVault,
        after credentials: FullCredentials,
        code: EnrolmentCode? = nil
    ) async throws(NewPinError<SetPinError>) -> NewPinResult {
        let profile: Profile
        do {
            profile = try await registered()
        } catch {
            throw .localAuth(error)
        }
        return try await setPin(of: profile, purpose: .replaceLostPin) { new throws(SetPinError) in
            try await open.setPin(new, after: credentials, code: code)
            return open
        }
    }

    /// Opens the vault with its recovery phrase and asks for a new PIN.
    ///
    /// - Parameters:
    ///   - phrase: The phrase that was set up.
    ///   - credentials: As ``Vault/recover(with:newPin:after:code:)`` needs them.
    ///   - code: As that one needs it.
    ///   - acceptsUnauthenticated: As that one takes it, after ``RecoveryError/unauthenticated``.
    public func recover(
        with phrase: borrowing RecoveryPhrase,
        after credentials: FullCredentials? = nil,
        code: EnrolmentCode? = nil,
        acceptingUnauthenticated acceptsUnauthenticated: Bool = false
    ) async throws(NewPinError<RecoveryError>) -> NewPinResult {
        let profile: Profile
        do {
            profile = try await registered()
        } catch {
            throw .localAuth(error)
        }
        let vault = subject.vault(of: profile)
        return try await setPin(of: profile, purpose: .replaceLostPin) { new throws(RecoveryError) in
            try await vault.recover(
                with: phrase, newPin: new, after: credentials, code: code,
                acceptingUnauthenticated: acceptsUnauthenticated)
        }
    }

    /// Asks for a new PIN and has it set. The one place where the length that is remembered follows a PIN.
    private func setPin<Failure: Error>(
        of profile: Profile,
        purpose: CreatePinChallenge.Purpose,
        _ set: (borrowing Pin) async throws(Failure) -> OpenVault
    ) async throws(NewPinError<Failure>) -> NewPinResult {
        let chosen: Pin?
        do {
            chosen = try await PinCreation(prompt: prompt, profile: profile, purpose: purpose).run()
        } catch {
            throw .localAuth(.emptyPinBox)
        }
        guard let new = chosen else { return NewPinResult(outcome: .cancelled, events: []) }
        if case .registered(let id, let profiles) = subject {
            do {
                try await profiles.registry.updateRegistered(id) { $0.pinIsChanging(to: new.length) }
            } catch {
                throw .localAuth(.registry(error))
            }
        }
        let open: OpenVault
        do {
            open = try await set(new)
        } catch {
            throw .vault(error)
        }
        var events: [LocalAuthEvent] = []
        await update(&events) { $0.pinIsSet(length: new.length) }
        return NewPinResult(outcome: .changed(open), events: events)
    }

    private func result(_ end: PinEntry.End) async -> NewPinResult {
        var events: [LocalAuthEvent] = []
        let outcome: NewPinOutcome
        switch end {
        case .cancelled: outcome = .cancelled
        case .waiting(let time, let triesLeft): outcome = .waiting(time, triesLeft: triesLeft)
        case .blocked(let unblocking): outcome = .blocked(unblocking)
        case .erased:
            await removeProfile(&events)
            outcome = .erased
        case .missing: outcome = .missing
        }
        return NewPinResult(outcome: outcome, events: events)
    }
}
