import CoreMetrics
package import NightlatchWire

/// Lets a bound device decide a transaction of its user.
package struct DecisionCeremony: Sendable {
    private let context: CeremonyContext
    private let answers: DecisionAnswers

    package init(in context: CeremonyContext, verifier: DecisionVerifier) {
        self.context = context
        answers = DecisionAnswers(context: context, verifier: verifier)
    }

    /// The transactions that `caller` may decide now, oldest first.
    package func pending(for caller: CallingDevice) async throws(Refusal) -> TransactionNoticeList {
        let transactions = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.transactions(of: caller.user, endedLimit: 0)
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
            try await context.store.transaction(request.transaction)
        }
        guard let found, found.user == caller.user, found.addressees.include(caller.device) else { throw .notFound }
        if let refusal = Refusal(ended: found.state) { throw refusal }
        let now = context.clock.now()
        let (sealed, handle) = try context.challenges.begin(
            .decision(user: caller.user, device: caller.device, transaction: found.id), at: now)
        return DecisionChallenge(
            challenge: sealed.challenge, handle: handle, issuedAt: now, expiresAt: sealed.expiresAt)
    }

    /// Verifies the answer and records the decision. A client that lost the result may ask again with the same message.
    package func finish(_ request: DecisionAnswer) async throws(Refusal) -> DecisionResult {
        let verified: DecisionAnswers.Verified<DecisionClaims> = try await answers.verified(request) { purpose in
            guard case .decision(let user, let device, let transaction) = purpose else { return nil }
            return .init(user: user, device: device, decided: transaction)
        }
        let (claims, device) = (verified.claims, verified.device)
        let decision = NewDecision(
            transaction: claims.transaction, user: device.user, device: device.id, decision: claims.decision,
            detailsHash: claims.detailsHash, message: request.message)
        let outcome = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.decideTransaction(decision, consuming: verified.use)
        }
        switch outcome {
        case .recorded(let state):
            (state == .confirmed ? CeremonyMetrics.confirmations : CeremonyMetrics.rejections).increment()
            return DecisionResult(transaction: claims.transaction, state: state)
        case .challengeExpired: throw .challengeExpired
        case .challengeUsed: throw .challengeUsed
        case .deviceStopped(let stop): throw Refusal(stop)
        case .noSuchTransaction: throw .notFound
        case .detailsDiffer: throw .transactionChanged
        case .ended(let state): throw Refusal(ended: state) ?? .internalError
        }
    }
}
