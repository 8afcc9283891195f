public import NightlatchWire

/// Has the person of this device decide transactions: shows nothing itself, and signs nothing that the person was not asked for just
/// then.
///
/// ```swift
/// let decider = TransactionDecider(vault: vault, keys: keys)
/// for transaction in try await session.pendingTransactions() {
///     switch await show(transaction.details) {
///     case .yes(let pin): try await decider.confirm(transaction, in: session, pin: pin)
///     case .no(let pin): try await decider.reject(transaction, in: session, pin: pin)
///     case .later: continue
///     }
/// }
/// ```
///
/// Every decision opens the vault anew, by a PIN that goes through the same gate as any other or by biometrics that release a key, and
/// locks it again. The device key signs only with a secret out of the vault, and a vault that is open elsewhere is not used. So a session
/// alone decides nothing, however long it lives.
///
/// The unlock may have something to tell that has nothing to do with the transaction: it is in the ``DecisionReceipt``.
///
/// A crash at any point leaves the transaction pending, or decided: the next call finds out (``DecisionError/ended(_:)``).
public struct TransactionDecider: Sendable {
    private let vault: Vault
    private let keys: any DeviceKeys
    private let clientID: ClientID

    /// - Parameters:
    ///   - vault: The vault that holds the binding of the sessions that will be given.
    ///   - keys: The device's keys.
    ///   - clientID: The app that bound the device.
    public init(vault: Vault, keys: any DeviceKeys, clientID: ClientID = .default) {
        self.vault = vault
        self.keys = keys
        self.clientID = clientID
    }

    /// Confirms `transaction`, after a PIN for this one decision. A wrong PIN counts as anywhere, and decides nothing.
    @discardableResult
    public func confirm(
        _ transaction: PendingTransaction,
        in session: Session,
        pin: borrowing Pin
    ) async throws(DecisionError) -> DecisionReceipt {
        try await decide(.confirm, transaction, in: session) { () async throws(DecisionError) in
            try await open(with: pin)
        }
    }

    /// Rejects `transaction`, after a PIN for this one decision.
    @discardableResult
    public func reject(
        _ transaction: PendingTransaction,
        in session: Session,
        pin: borrowing Pin
    ) async throws(DecisionError) -> DecisionReceipt {
        try await decide(.reject, transaction, in: session) { () async throws(DecisionError) in
            try await open(with: pin)
        }
    }

    /// Confirms `transaction`, after the person's biometrics for this one decision.
    ///
    /// - Parameters:
    ///   - transaction: What was shown.
    ///   - session: A session of the device whose binding the vault holds.
    ///   - biometricReason: Why, in a sentence that the system shows to the person; not empty.
    @discardableResult
    public func confirm(
        _ transaction: PendingTransaction,
        in session: Session,
        biometricReason: String
    ) async throws(DecisionError) -> DecisionReceipt {
        try await decide(.confirm, transaction, in: session) { () async throws(DecisionError) in
            try await open(because: biometricReason)
        }
    }

    /// Rejects `transaction`, after the person's biometrics for this one decision.
    ///
    /// - Parameters:
    ///   - transaction: What was shown.
    ///   - session: A session of the device whose binding the vault holds.
    ///   - biometricReason: Why, in a sentence that the system shows to the person; not empty.
    @discardableResult
    public func reject(
        _ transaction: PendingTransaction,
        in session: Session,
        biometricReason: String
    ) async throws(DecisionError) -> DecisionReceipt {
        try await decide(.reject, transaction, in: session) { () async throws(DecisionError) in
            try await open(because: biometricReason)
        }
    }

    /// Opens the vault for one decision, signs and sends, and locks it whatever happens.
    private func decide(
        _ decision: TransactionDecision,
        _ transaction: PendingTransaction,
        in session: Session,
        opening open: () async throws(DecisionError) -> OpenVault
    ) async throws(DecisionError) -> DecisionReceipt {
        // First, so that nobody's vault is opened for a transaction that has ended.
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

    private func open(with pin: borrowing Pin) async throws(DecisionError) -> OpenVault {
        do {
            return try await vault.unlock(with: pin)
        } catch {
            throw .unlock(error)
        }
    }

    private func open(because reason: String) async throws(DecisionError) -> OpenVault {
        do {
            return try await vault.unlockWithBiometrics(reason: reason)
        } catch {
            throw .biometrics(error)
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
        // Nothing but the decision that was sent is a yes to it.
        guard result == DecisionResult(transaction: transaction.id, state: decision.state) else {
            throw .relyingParty(.unintelligible(status: 200))
        }
    }

    /// The binding that `session` is of, and its device key.
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
        // Both are written together.
        guard let password = stored.password else { throw .vault(.record(.corrupt)) }
        do {
            return (binding, try await BindingKeys.find(binding.keys, password: password, in: keys).deviceKey)
        } catch {
            throw .key(error)
        }
    }
}

extension Session {
    fileprivate func beginDecision(on transaction: PendingTransaction) async throws(DecisionError) -> DecisionChallenge
    {
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
