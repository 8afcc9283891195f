import NightlatchWire

/// The user's decision on a transaction.
struct TransactionChoice: UserDecision {
    let decision: TransactionDecision
    let transaction: PendingTransaction

    func check() throws(DecisionError) {
        guard decision == .reject || transaction.canBeShown else { throw .cannotBeShown }
    }

    func begin(in session: Session) async throws(SessionError) -> DecisionChallenge {
        try await session.proved(.beginDecision, path: Route.beginDecision.path).send {
            proof throws(RelyingPartyError) in
            try await session.relyingParty.beginDecision(
                DecisionRequest(transaction: transaction.id),
                Authorization(accessToken: session.accessToken, proof: proof))
        }
    }

    func claims(for challenge: DecisionChallenge, binding: DeviceBinding, clientID: ClientID) -> DecisionClaims {
        DecisionClaims(
            issuer: clientID, subject: binding.user, audience: binding.issuer, issuedAt: challenge.issuedAt,
            expiresAt: challenge.issuedAt + MessageLife.ofAssertions, challenge: challenge.challenge,
            transaction: transaction.id, decision: decision, detailsHash: transaction.details.hash)
    }

    func send(
        _ answer: DecisionAnswer,
        to relyingParty: any RelyingParty
    ) async throws(RelyingPartyError) -> DecisionResult {
        try await relyingParty.finishDecision(answer)
    }

    func check(_ result: DecisionResult) throws(DecisionError) {
        // Accept only a result that repeats the decision that was sent.
        guard result == DecisionResult(transaction: transaction.id, state: decision.state) else {
            throw .relyingParty(.unintelligible(status: 200))
        }
    }
}
