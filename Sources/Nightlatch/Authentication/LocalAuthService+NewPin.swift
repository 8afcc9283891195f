public import NightlatchWire

/// The result of setting a new PIN.
public struct NewPinResult: Sendable {
    public let outcome: NewPinOutcome
    /// Events that the app should know about, besides the outcome.
    public let events: [LocalAuthEvent]
}

/// The outcome of setting a new PIN.
public enum NewPinOutcome: Sendable {
    /// The new PIN has replaced the old one. The vault is open.
    case changed(OpenVault)
    /// The user cancelled. The PIN has not changed.
    case cancelled
    /// The old PIN cannot be tried yet; see ``UnlockOutcome/waiting(_:triesLeft:)``.
    case waiting(Duration, triesLeft: Int)
    /// The old PIN is blocked; see ``UnlockOutcome/blocked(_:)``.
    case blocked(Unblocking)
    /// The vault was erased while the old PIN was tried; see ``UnlockOutcome/erased``.
    case erased
    /// The store finds no vault; see ``UnlockOutcome/missing``.
    case missing
}

extension LocalAuthService {
    /// Asks for the old PIN, then for a new one, and changes the PIN.
    ///
    /// The old PIN is tried before the user chooses a new one. While the user chooses, the vault is open, and the old
    /// PIN stays in zeroing memory: the new PIN is compared with it and refused if it is the same
    /// (``PinObjection/sameAsCurrent``). The old PIN is wiped when the user has chosen or cancelled, and when the vault
    /// locks. If the user takes too long, the vault locks by itself (``AutoLock``), and this throws
    /// ``ChangePinError/vault(_:)``; the call can be repeated.
    ///
    /// If the new PIN has another length, the remembered length is removed before the change and written again after
    /// it. So after a crash the remembered length is never wrong.
    ///
    /// The vault gets a new key. So other `OpenVault` values of the vault in this process end as
    /// ``OpenVaultEnd/superseded``, and screens that show them lock.
    ///
    /// - Parameter shown: An `OpenVault` of the same vault that stays open after the change, usually the one that the
    ///   app's screen shows. If the PIN is changed, the result contains this value, unless it has locked by then.
    public func changePin(in shown: OpenVault? = nil) async throws(ChangePinError) -> NewPinResult {
        let profile: Profile
        do {
            profile = try await registered()
        } catch {
            throw .registry(error)
        }
        let vault = subject.vault(of: profile)
        var entry = PinEntry(
            vault: vault, profile: profile, prompt: prompt, purpose: .changePin, showsWaits: configuration.showsWaits)
        // Ends: when the PIN is right or the user cancels; the lockout policy bounds the number of wrong PINs.
        // Cancelling the task ends a prompt that never answers.
        while true {
            let step: PinEntry.Step
            do {
                step = try await entry.ask(offersBiometrics: false, biometricFailure: nil)
            } catch {
                throw ChangePinError(error)
            }
            switch consume step {
            case .again: continue
            case .biometrics: continue
            case .ended(let end): return await result(end)
            case .opened(let open, let old):
                return try await changePin(of: profile, in: open, from: PinBox(old), keepingOpen: shown)
            }
        }
    }

    /// Keeps the vault open only if its PIN was changed.
    private func changePin(
        of profile: Profile,
        in open: OpenVault,
        from old: PinBox,
        keepingOpen shown: OpenVault?
    ) async throws(ChangePinError) -> NewPinResult {
        // Wipes the old PIN when the vault locks, even if the prompt never answers.
        let wiping = Task { [opening = open.opening] in
            _ = await opening.ended()
            _ = old.take()
        }
        defer { wiping.cancel() }
        // The hardener was unreachable, so the PIN cannot be set now. Do not let the user choose one.
        if let unreached = await open.unreached {
            await open.lock()
            throw .rekey(.hardener(unreached))
        }
        var policyEvents: [LocalAuthEvent] = []
        let profile = await apply(open.policyWhenOpened, of: open, to: profile, &policyEvents)
        let result: NewPinResult
        do {
            result = try await setPin(of: profile, purpose: .changePin, otherThan: old) {
                new throws(ChangePinError) in
                try await open.changePin(to: new, keepingOpen: shown, under: subject.pinPolicy(of: profile))
                guard let shown, await !shown.isLocked else { return open }
                await open.lock()
                return shown
            }
        } catch {
            await open.lock()
            throw error
        }
        if case .cancelled = result.outcome { await open.lock() }
        let events = policyEvents + result.events
        guard open.foreignGuesses != nil || open.rekeyFailure != nil else {
            return NewPinResult(outcome: result.outcome, events: events)
        }
        let found = LocalAuthEvent.foundAtUnlock(open.foreignGuesses, open.rekeyFailure)
        return NewPinResult(outcome: result.outcome, events: [found] + events)
    }

    /// Asks for a new PIN for a vault that biometrics have opened. Use this after the old PIN was blocked, or after the
    /// user gave it up. The library does not know the old PIN then, so the new one may equal it.
    ///
    /// - Parameters:
    ///   - open: The profile's vault. It stays open.
    ///   - credentials: Proof that the user has just authenticated with their full credentials.
    ///   - code: The enrolment code, if ``OpenVault/setPin(_:after:code:)`` needs one.
    public func setPin(
        in open: OpenVault,
        after credentials: FullCredentials,
        code: EnrolmentCode? = nil
    ) async throws(SetPinError) -> NewPinResult {
        let profile: Profile
        do {
            profile = try await registered()
        } catch {
            throw .registry(error)
        }
        var events: [LocalAuthEvent] = []
        let policed = await applyPolicy(of: open, to: profile, &events)
        let result = try await setPin(of: policed, purpose: .replaceLostPin) { new throws(SetPinError) in
            try await open.setPin(new, after: credentials, code: code, under: subject.pinPolicy(of: policed))
            return open
        }
        return NewPinResult(outcome: result.outcome, events: events + result.events)
    }

    /// Opens the vault with its recovery phrase and asks for a new PIN. The library does not know the old PIN then, so
    /// the new one may equal it.
    ///
    /// - Parameters:
    ///   - phrase: The vault's recovery phrase.
    ///   - credentials: See ``Vault/recover(with:newPin:after:code:acceptingUnauthenticated:)``.
    ///   - code: See the same method.
    ///   - acceptsUnauthenticated: See the same method. Pass true only after ``RecoveryError/unauthenticated``.
    public func recover(
        with phrase: borrowing RecoveryPhrase,
        after credentials: FullCredentials? = nil,
        code: EnrolmentCode? = nil,
        acceptingUnauthenticated acceptsUnauthenticated: Bool = false
    ) async throws(RecoveryError) -> NewPinResult {
        let profile: Profile
        do {
            profile = try await registered()
        } catch {
            throw .registry(error)
        }
        // The rules that the prompt has.
        let vault = subject.vault(of: profile).under(subject.pinPolicy(of: profile))
        return try await setPin(of: profile, purpose: .replaceLostPin) { new throws(RecoveryError) in
            try await vault.recover(
                with: phrase, newPin: new, after: credentials, code: code,
                acceptingUnauthenticated: acceptsUnauthenticated)
        }
    }

    /// Asks for a new PIN, sets it with `set`, and updates the remembered length. Every PIN change of this service is
    /// made here.
    private func setPin<Failure: NewPinError>(
        of profile: Profile,
        purpose: CreatePinChallenge.Purpose,
        otherThan old: PinBox? = nil,
        _ set: (borrowing Pin) async throws(Failure) -> OpenVault
    ) async throws(Failure) -> NewPinResult {
        let rules = subject.vault(of: profile).under(subject.pinPolicy(of: profile)).newPinRules(otherThan: old)
        let chosen: Pin?
        do {
            // The old PIN is wiped as soon as the user has chosen or cancelled.
            defer { _ = old?.take() }
            chosen = try await PinCreation(prompt: prompt, profile: profile, purpose: purpose, rules: rules).run()
        } catch {
            throw .emptyPinBox
        }
        guard let new = chosen else { return NewPinResult(outcome: .cancelled, events: []) }
        if case .registered(let id, let profiles) = subject {
            do {
                try await profiles.registry.updateRegistered(id) { $0.pinIsChanging(to: new.length) }
            } catch {
                throw .registry(error)
            }
        }
        let open = try await set(new)
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

/// An error of an operation that asks the user for a new PIN.
private protocol NewPinError: Error {
    static var emptyPinBox: Self { get }
    static func registry(_ error: RegistryError) -> Self
}

extension ChangePinError: NewPinError {}
extension SetPinError: NewPinError {}
extension RecoveryError: NewPinError {}

extension ChangePinError {
    /// Converts an error of asking for the old PIN.
    fileprivate init(_ error: LocalAuthError) {
        switch error {
        case .registry(let error): self = .registry(error)
        case .vault(let error): self = .unlock(error)
        case .emptyPinBox: self = .emptyPinBox
        }
    }
}
