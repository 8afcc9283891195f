import CoreMetrics
package import NightlatchWire

/// Lets a bound device decide the remote logins of its user.
package struct RemoteLoginCeremony: Sendable {
    private let context: CeremonyContext
    private let codes: RemoteLoginCodes
    private let answers: DecisionAnswers

    /// The largest number of logins in a list. A user can open more only by scanning more codes at the same time.
    private static let listLimit = 16

    package init(in context: CeremonyContext, verifier: DecisionVerifier) {
        self.context = context
        answers = DecisionAnswers(context: context, verifier: verifier)
        codes = RemoteLoginCodes(keyring: context.keyring)
    }

    /// The remote logins that wait for the user of `caller`, oldest first.
    package func pending(for caller: CallingDevice) async throws(Refusal) -> RemoteLoginNoticeList {
        let logins = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.remoteLogins(of: caller.user, limit: Self.listLimit)
        }
        let now = context.clock.now()
        return RemoteLoginNoticeList(
            logins: logins.filter { $0.state == .pending }.map(RemoteLoginNotice.init),
            isLimitReached: logins.contains { login in
                logins.count { $0.countsAsRequest(like: login, at: now) } >= RemoteLogin.requestLimit
            })
    }

    /// Opens the login of a login page that the user of `caller` scanned. The same user's devices may repeat it.
    ///
    /// If a device of another user scanned the same page, the login ends: it is unknown which of the two sits in front
    /// of the screen.
    ///
    /// - Throws: ``Refusal`` `notFound` for a code that is unknown or expired, and `remoteLoginEnded`.
    package func claim(
        _ claim: RemoteLoginClaim, for caller: CallingDevice
    ) async throws(Refusal) -> RemoteLoginNotice {
        let now = context.clock.now()
        guard let offer = codes.open(claim.code, at: now) else { throw .notFound }
        let name = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.apps.name(of: offer.client, now: now)
        }
        guard let name else { throw .notFound }
        let opening = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.openRemoteLogin(
                offer.claimed(at: now).login(of: caller.user, to: name, isClaimed: true))
        }
        guard case .opened(let login) = opening, login.state == .pending else { throw .remoteLoginEnded }
        return RemoteLoginNotice(login)
    }

    /// Returns a challenge for a login that `caller` may decide.
    ///
    /// Writes nothing. A login that has ended is refused at once, so that the app does not needlessly ask the user for
    /// a PIN.
    package func begin(
        _ request: RemoteLoginRequest, for caller: CallingDevice
    ) async throws(Refusal) -> RemoteLoginChallenge {
        let found = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.remoteLogin(request.login)
        }
        guard let found, found.user == caller.user else { throw .notFound }
        guard found.state == .pending else { throw .remoteLoginEnded }
        let now = context.clock.now()
        let (sealed, handle) = try context.challenges.begin(
            .remoteLogin(user: caller.user, device: caller.device, login: found.id), at: now)
        return RemoteLoginChallenge(
            challenge: sealed.challenge, handle: handle, issuedAt: now, expiresAt: sealed.expiresAt)
    }

    /// Verifies the answer and records the decision. A client that lost the result may ask again with the same message.
    ///
    /// A wrong number is recorded and ends the login; it is a result and not a refusal.
    package func finish(_ request: RemoteLoginAnswer) async throws(Refusal) -> RemoteLoginResult {
        let verified: DecisionAnswers.Verified<RemoteLoginClaims> = try await answers.verified(request) { purpose in
            guard case .remoteLogin(let user, let device, let login) = purpose else { return nil }
            return .init(user: user, device: device, decided: login)
        }
        let (claims, device) = (verified.claims, verified.device)
        let decision = NewRemoteLoginDecision(
            login: claims.login, user: device.user, device: device.id, decision: claims.decision,
            detailsHash: claims.detailsHash, number: claims.number)
        let outcome = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.decideRemoteLogin(decision, consuming: verified.use)
        }
        switch outcome {
        case .recorded(let state): return RemoteLoginResult(login: claims.login, state: state)
        case .challengeExpired: throw .challengeExpired
        case .challengeUsed: throw .challengeUsed
        case .deviceStopped(let stop): throw Refusal(stop)
        case .noSuchLogin: throw .notFound
        case .detailsDiffer: throw .remoteLoginChanged
        case .ended: throw .remoteLoginEnded
        }
    }
}

extension RemoteLoginNotice {
    fileprivate init(_ login: RemoteLogin) { self.init(id: login.id, details: login.details) }
}
