import NightlatchWire

/// Signs a decision of the user with a vault that is opened for this decision alone, and sends it.
struct DecisionSigner: Sendable {
    let vault: Vault
    let keys: any DeviceKeys
    let clientID: ClientID

    /// Sends a decision after the PIN for it.
    func decide(
        _ decision: some UserDecision,
        in session: Session,
        pin: borrowing Pin
    ) async throws(DecisionError) -> DecisionReceipt {
        try await decide(decision, in: session) { () async throws(DecisionError) in
            try await open(with: pin)
        }
    }

    /// Sends a decision after the user's biometrics for it.
    func decide(
        _ decision: some UserDecision,
        in session: Session,
        biometricReason: String
    ) async throws(DecisionError) -> DecisionReceipt {
        try await decide(decision, in: session) { () async throws(DecisionError) in
            try await open(because: biometricReason)
        }
    }

    /// Sends a decision with a vault that was opened for it, and always locks the vault.
    func decide(
        _ decision: some UserDecision,
        in session: Session,
        with open: OpenVault
    ) async throws(DecisionError) -> DecisionReceipt {
        do {
            return try await decide(decision, in: session) { () async throws(DecisionError) in open }
        } catch {
            // The method below locks the vault only after it has called the closure. It may throw before that.
            await open.lock()
            throw error
        }
    }

    /// Opens the vault for one decision, signs and sends the decision, and always locks the vault.
    private func decide(
        _ decision: some UserDecision,
        in session: Session,
        opening open: () async throws(DecisionError) -> OpenVault
    ) async throws(DecisionError) -> DecisionReceipt {
        try decision.check()
        // First, so that no vault is opened if there is nothing to decide any more.
        let challenge = try await session.begin(decision)
        let vault = try await open()
        do {
            try await send(decision, in: session, challenge: challenge, open: vault)
        } catch {
            await vault.lock()
            throw error
        }
        await vault.lock()
        return DecisionReceipt(foreignGuesses: vault.foreignGuesses, rekeyFailure: vault.rekeyFailure)
    }

    private func open(with pin: borrowing Pin) async throws(DecisionError) -> OpenVault {
        do {
            return try await vault.unlock(with: pin)
        } catch {
            throw DecisionError(error)
        }
    }

    private func open(because reason: String) async throws(DecisionError) -> OpenVault {
        do {
            return try await vault.unlockWithBiometrics(reason: reason)
        } catch {
            throw DecisionError(error)
        }
    }

    private func send<Decision: UserDecision>(
        _ decision: Decision,
        in session: Session,
        challenge: DecisionChallenge,
        open: OpenVault
    ) async throws(DecisionError) {
        let (binding, deviceKey) = try await boundKey(of: session, in: open)
        let message: String
        do {
            message = try await deviceKey.sign(
                decision.claims(for: challenge, binding: binding, clientID: clientID), carryingKey: false)
        } catch {
            throw .key(error)
        }
        let result: Decision.Result
        do {
            result = try await decision.send(
                DecisionAnswer(handle: challenge.handle, message: message), to: session.relyingParty)
        } catch {
            guard case .refused(let refusal) = error, refusal.isDecision, refusal.code.endsBinding else {
                throw DecisionError(error)
            }
            do {
                try await open.forgetBinding(binding.keys, isRevoked: true, keys: keys)
            } catch {
                throw DecisionError(error)
            }
            throw .revoked
        }
        try decision.check(result)
    }

    /// Returns the binding of `session`, and its device key.
    private func boundKey(
        of session: Session,
        in open: OpenVault
    ) async throws(DecisionError) -> (DeviceBinding, any DeviceKey) {
        let stored: StoredBinding
        do {
            stored = try await open.storedBinding()
        } catch {
            throw .vault(error)
        }
        guard case .bound(let binding) = stored.state, binding.issuer == session.relyingParty.issuer,
            binding.user == session.user, binding.device == session.device
        else { throw .notBound }
        // The binding and the password are written together.
        guard let password = stored.password else { throw .vault(.corrupt) }
        do {
            return (binding, try await BindingKeys.find(binding.keys, password: password, in: keys).deviceKey)
        } catch {
            throw .key(error)
        }
    }
}

extension Session {
    /// Gets a challenge for a decision.
    func begin(_ decision: some UserDecision) async throws(DecisionError) -> DecisionChallenge {
        do {
            return try await decision.begin(in: self)
        } catch {
            throw DecisionError(error)
        }
    }
}
