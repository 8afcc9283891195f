import NightlatchWire

/// The steps that requests about a two-party PIN share.
extension PinCeremony {
    func verified<Statement: PinStatement>(
        _ message: String,
        as statement: Statement.Type
    ) async throws(Refusal) -> VerifiedPinMessage<Statement> {
        let now = clock.now()
        let clients = try await answer { () async throws(RelyingPartyStoreError) in
            try await apps.deviceClients(now: now)
        }
        do {
            return try verifier.verify(message, through: clients, now: now)
        } catch {
            throw .messageRefused(error)
        }
    }

    /// The device that a message is about, if the signer's key has the role.
    ///
    /// A client without such a key learns nothing, causes no elliptic curve arithmetic, and does not delay requests
    /// that write. For an unknown key, the store is queried in the same way whether or not the device has a PIN, and
    /// ``RefusalPace`` delays the refusal. The response time therefore reveals neither whether the device exists nor
    /// whether it has a PIN.
    func device(
        of message: VerifiedPinMessage<some PinStatement>,
        signedAs role: PinStep.Role,
        isFresh: Bool? = nil
    ) async throws(Refusal) -> DeviceRecord {
        try await pace.keep { () async throws(Refusal) in
            let device = try await entitledDevice(of: message, signedAs: role)
            guard isFresh ?? message.isFresh else { throw .messageExpired(at: clock.now()) }
            if let stop = device.stop { throw Refusal(stop) }
            return device
        }
    }

    private func entitledDevice(
        of message: VerifiedPinMessage<some PinStatement>,
        signedAs role: PinStep.Role
    ) async throws(Refusal) -> DeviceRecord {
        let device = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.device(message.device, of: message.user)
        }
        var known: PinHardening?
        // Two cases need no query. The device key and the possession key are stored with the device. And a guess is
        // signed only by the possession key.
        if role != .guesser, message.signer != device?.possessionKey, message.signer != device?.keyID {
            known = try await answer { () async throws(RelyingPartyStoreError) in
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

    /// Lets the store carry out a step.
    ///
    /// - Returns: An outcome that is not a refusal.
    func record(
        _ action: PinStep.Action,
        by signer: KeyID,
        of device: DeviceRecord
    ) async throws(Refusal) -> PinStepOutcome {
        let outcome = try await take(action, by: signer, of: device)
        guard case .refused(let refusal, let state) = outcome else { return outcome }
        let wait: PinWait? = if case .waiting(let wait) = refusal { wait } else { nil }
        throw Refusal(refusal, standing: standing(of: state, wait: wait))
    }

    func take(
        _ action: PinStep.Action,
        by signer: KeyID,
        of device: DeviceRecord
    ) async throws(Refusal) -> PinStepOutcome {
        let step = PinStep(signer: signer, rounds: guessRounds, knownKeys: Set(keyring.ids), action)
        return try await answer { () async throws(RelyingPartyStoreError) in
            try await store.recordPinStep(step, of: device.id, user: device.user)
        }
    }

    func clearing(_ outcome: PinStepOutcome) throws(Refusal) -> PinClearing {
        guard case .cleared(let window) = outcome else { throw .internalError }
        return PinClearing(
            epoch: window.epoch, window: window.window, cleared: window.cleared, issuedAt: clock.now())
    }

    /// - Parameter wait: The wait by the store's clock, if a step was refused because of it.
    func standing(of state: PinHardening, wait: PinWait? = nil) -> PinStanding {
        state.standing(under: guessRounds, at: clock.now(), wait: wait)
    }
}
