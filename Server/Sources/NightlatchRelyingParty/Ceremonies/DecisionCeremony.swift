import CoreMetrics
package import NightlatchWire

/// Lets a bound device decide a transaction of its user.
package struct DecisionCeremony: Sendable {
    let store: any RelyingPartyStore
    let apps: AppRegistry
    let challenges: CeremonyChallenges
    let verifier: DecisionVerifier
    let clock: WallClock

    package init(
        store: any RelyingPartyStore, apps: AppRegistry, challenges: CeremonyChallenges, verifier: DecisionVerifier,
        clock: WallClock
    ) {
        self.store = store
        self.apps = apps
        self.challenges = challenges
        self.verifier = verifier
        self.clock = clock
    }

    /// The transactions that `caller` may decide now, oldest first.
    package func pending(for caller: CallingDevice) async throws(Refusal) -> TransactionNoticeList {
        let transactions = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.transactions(of: caller.user, endedLimit: 0)
        }
        return TransactionNoticeList(
            transactions: transactions.filter { $0.addressees.include(caller.device) }
                .map { TransactionNotice(id: $0.id, details: $0.details) })
    }

    /// Returns a challenge for a transaction that `caller` may decide.
    ///
    /// Writes nothing. A transaction that has ended is refused at once, so that the app does not needlessly ask the
    /// user for a PIN.
    package func begin(
        _ request: DecisionRequest,
        for caller: CallingDevice
    ) async throws(Refusal) -> DecisionChallenge {
        let found = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.transaction(request.transaction)
        }
        guard let found, found.user == caller.user, found.addressees.include(caller.device) else { throw .notFound }
        if let refusal = Refusal(ended: found.state) { throw refusal }
        let now = clock.now()
        let (sealed, handle) = try challenges.begin(
            .decision(user: caller.user, device: caller.device, transaction: found.id), at: now)
        return DecisionChallenge(
            challenge: sealed.challenge, handle: handle, issuedAt: now, expiresAt: sealed.expiresAt)
    }

    /// Verifies the answer and records the decision. A client that lost the result may ask again with the same message.
    package func finish(_ request: DecisionAnswer) async throws(Refusal) -> DecisionResult {
        let now = clock.now()
        let sealed = try challenges.open(request.handle, at: now)
        guard case .decision(let user, let device, let transaction) = sealed.purpose else { throw .challengeRefused }
        let registered = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.device(device, of: user)
        }
        // The device existed when the handle was sealed, and devices are never deleted.
        guard let registered else { throw .messageRefused(.wrongSignature) }
        let clients = try await answer { () async throws(RelyingPartyStoreError) in
            try await apps.deviceClients(now: now)
        }
        let verified: VerifiedDecision
        do {
            verified = try verifier.verify(
                request.message, by: registered, through: clients,
                expecting: .init(user: user, transaction: transaction, challenge: sealed.challenge), now: now)
        } catch {
            throw .messageRefused(error)
        }
        if let stop = verified.device.stop { throw Refusal(stop) }
        let decision = NewDecision(
            transaction: transaction, user: user, device: device, decision: verified.decision,
            detailsHash: verified.detailsHash, message: request.message)
        let use = ChallengeUse(
            challenge: sealed.challenge, message: verified.messageHash, expiresAt: sealed.expiresAt)
        let outcome = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.decideTransaction(decision, consuming: use)
        }
        switch outcome {
        case .recorded(let state):
            (state == .confirmed ? CeremonyMetrics.confirmations : CeremonyMetrics.rejections).increment()
            return DecisionResult(transaction: transaction, state: state)
        case .challengeExpired: throw .challengeExpired
        case .challengeUsed: throw .challengeUsed
        case .deviceStopped(let stop): throw Refusal(stop)
        case .noSuchTransaction: throw .notFound
        case .detailsDiffer: throw .transactionChanged
        case .ended(let state): throw Refusal(ended: state) ?? .internalError
        }
    }
}
