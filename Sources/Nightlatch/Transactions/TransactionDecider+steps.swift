import NightlatchWire

extension TransactionDecider {
    /// Opens the vault for one decision, signs and sends the decision, and always locks the vault.
    func decide(
        _ decision: TransactionDecision,
        _ transaction: PendingTransaction,
        in session: Session,
        opening open: () async throws(DecisionError) -> OpenVault
    ) async throws(DecisionError) -> DecisionReceipt {
        guard decision == .reject || transaction.canBeShown else { throw .cannotBeShown }
        // First, so that no vault is opened for a transaction that has ended.
        let challenge = try await session.beginDecision(on: transaction)
        let vault = try await open()
        do {
            try await send(decision, transaction, in: session, challenge: challenge, open: vault)
        } catch {
            await vault.lock()
            throw error
        }
        await vault.lock()
        return DecisionReceipt(foreignGuesses: vault.foreignGuesses, rekeyFailure: vault.rekeyFailure)
    }

    func open(with pin: borrowing Pin) async throws(DecisionError) -> OpenVault {
        do {
            return try await vault.unlock(with: pin)
        } catch {
            throw DecisionError(error)
        }
    }

    func open(because reason: String) async throws(DecisionError) -> OpenVault {
        do {
            return try await vault.unlockWithBiometrics(reason: reason)
        } catch {
            throw DecisionError(error)
        }
    }

    private func send(
        _ decision: TransactionDecision,
        _ transaction: PendingTransaction,
        in session: Session,
        challenge: DecisionChallenge,
        open: OpenVault
    ) async throws(DecisionError) {
        let (binding, deviceKey) = try await boundKey(of: session, in: open)
        let claims = DecisionClaims(
            issuer: clientID, subject: binding.user, audience: binding.issuer, issuedAt: challenge.issuedAt,
            expiresAt: challenge.issuedAt + MessageLife.ofAssertions, challenge: challenge.challenge,
            transaction: transaction.id, decision: decision, detailsHash: transaction.details.hash)
        let message: String
        do {
            message = try await deviceKey.sign(claims, carryingKey: false)
        } catch {
            throw .key(error)
        }
        let result: DecisionResult
        do {
            result = try await session.relyingParty.finishDecision(
                DecisionAnswer(handle: challenge.handle, message: message))
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
        // Accept only a result that repeats the decision that was sent.
        guard result == DecisionResult(transaction: transaction.id, state: decision.state) else {
            throw .relyingParty(.unintelligible(status: 200))
        }
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
    func beginDecision(on transaction: PendingTransaction) async throws(DecisionError) -> DecisionChallenge {
        do {
            return try await proved(.beginDecision, path: Route.beginDecision.path).send {
                proof throws(RelyingPartyError) in
                try await relyingParty.beginDecision(
                    DecisionRequest(transaction: transaction.id), Authorization(accessToken: accessToken, proof: proof))
            }
        } catch {
            throw DecisionError(error)
        }
    }
}
