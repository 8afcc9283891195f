import NightlatchWire

/// What the requests about a two-party PIN have in common.
extension PinCeremony {
    func verified<Statement: PinStatement>(
        _ message: String,
        as statement: Statement.Type
    ) throws(Refusal) -> VerifiedPinMessage<Statement> {
        do {
            return try verifier.verify(message, now: clock.now())
        } catch {
            throw .messageRefused(error)
        }
    }

    /// The device that a message is about, if the key that signed has the role. Nobody else learns anything, costs a calculation with points, or keeps
    /// those waiting who write.
    ///
    /// The store is asked for a stranger's key in the same way whether the device has a PIN or not, and the refusal
    /// keeps its pace: its time tells neither that nor whether there is such a device.
    func device(
        of message: VerifiedPinMessage<some PinStatement>,
        signedAs role: PinStep.Role,
        isFresh: Bool? = nil
    ) async throws(Refusal) -> RegisteredDevice {
        try await pace.keep { () async throws(Refusal) in
            let device = try await entitledDevice(of: message, signedAs: role)
            guard isFresh ?? message.isFresh else { throw .messageExpired(at: clock.now()) }
            if let bar = device.bar { throw Refusal(bar) }
            return device
        }
    }

    private func entitledDevice(
        of message: VerifiedPinMessage<some PinStatement>,
        signedAs role: PinStep.Role
    ) async throws(Refusal) -> RegisteredDevice {
        let device = try await answer { () async throws(StoreError) in
            try await store.device(message.device, of: message.user)
        }
        var known: PinHardening?
        // The other keys are those of the device itself, and no other key guesses.
        if role != .guesser, message.signer != device?.possessionKey, message.signer != device?.keyID {
            known = try await answer { () async throws(StoreError) in
                try await store.pinHardening(of: message.device, naming: message.signer)
            }
        }
        guard let device, device.client == message.client else { throw .messageRefused(.wrongKey) }
        guard message.signer != device.keyID || message.algorithm == device.algorithm else {
            throw .messageRefused(.wrongSignature)
        }
        guard (known ?? PinHardening()).isEntitled(message.signer, as: role, on: device) else {
            throw .messageRefused(.wrongKey)
        }
        return device
    }

    /// Has the store carry a step out.
    ///
    /// - Returns: An outcome that is no refusal.
    func record(
        _ action: PinStep.Action,
        by signer: KeyID,
        of device: RegisteredDevice
    ) async throws(Refusal) -> PinStepOutcome {
        let outcome = try await take(action, by: signer, of: device)
        guard case .refused(let refusal, let state) = outcome else { return outcome }
        throw Refusal(refusal, standing: standing(of: state))
    }

    func take(
        _ action: PinStep.Action,
        by signer: KeyID,
        of device: RegisteredDevice
    ) async throws(Refusal) -> PinStepOutcome {
        let step = PinStep(signer: signer, guessLimit: guessLimit.count, action)
        return try await answer { () async throws(StoreError) in
            try await store.recordPinStep(step, of: device.id, user: device.user)
        }
    }

    func clearing(_ outcome: PinStepOutcome) throws(Refusal) -> PinClearing {
        guard case .cleared(let window) = outcome else { throw .internalError }
        return PinClearing(
            epoch: window.epoch, window: window.window, cleared: window.cleared, issuedAt: clock.now())
    }

    func standing(of state: PinHardening) -> PinStanding {
        state.standing(guessLimit: guessLimit.count, at: clock.now())
    }
}
