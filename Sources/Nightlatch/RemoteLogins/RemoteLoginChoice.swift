import NightlatchWire

/// The user's decision on a remote login.
struct RemoteLoginChoice: UserDecision {
    let decision: TransactionDecision
    let login: PendingRemoteLogin
    /// The number that the user entered; nil to reject, and for a login without a number.
    let number: RemoteLoginNumber?

    func check() throws(DecisionError) {
        let needsNumber = decision == .confirm && login.details.hasNumber
        if needsNumber, number == nil { throw .numberMissing }
        if !needsNumber, number != nil { throw .numberUnexpected }
    }

    func begin(in session: Session) async throws(SessionError) -> RemoteLoginChallenge {
        try await session.proved(.beginRemoteLogin, path: Route.beginRemoteLogin.path).send {
            proof throws(RelyingPartyError) in
            try await session.relyingParty.beginRemoteLogin(
                RemoteLoginRequest(login: login.id), Authorization(accessToken: session.accessToken, proof: proof))
        }
    }

    func claims(for challenge: RemoteLoginChallenge, binding: DeviceBinding, clientID: ClientID) -> RemoteLoginClaims {
        RemoteLoginClaims(
            issuer: clientID, subject: binding.user, audience: binding.issuer, issuedAt: challenge.issuedAt,
            expiresAt: challenge.issuedAt + MessageLife.ofAssertions, challenge: challenge.challenge, login: login.id,
            decision: decision, detailsHash: login.details.hash, number: number)
    }

    func send(
        _ answer: RemoteLoginAnswer,
        to relyingParty: any RelyingParty
    ) async throws(RelyingPartyError) -> RemoteLoginResult {
        try await relyingParty.finishRemoteLogin(answer)
    }

    func check(_ result: RemoteLoginResult) throws(DecisionError) {
        switch (decision, result.state) {
        case _ where result.login != login.id: throw .relyingParty(.unintelligible(status: 200))
        // The browser may continue before the answer arrives.
        case (.confirm, .confirmed), (.confirm, .completed), (.reject, .rejected): break
        case (.confirm, .numberWrong): throw .numberWrong
        // The decision was recorded, and then another user scanned the same code or the browser did not continue.
        case (.confirm, .contested), (.confirm, .expired): throw .remoteLoginEnded
        case (_, _): throw .relyingParty(.unintelligible(status: 200))
        }
    }
}
