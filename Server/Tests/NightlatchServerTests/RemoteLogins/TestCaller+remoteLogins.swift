import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchTokenVerification
import NightlatchWire
import Testing

// The steps of a device that decides remote logins.
extension TestCaller {
    func remoteLogins(_ session: TestSession) async throws -> RemoteLoginNoticeList {
        try await call(.get, Route.remoteLogins.path, headers: credentials(session, .remoteLogins)).message()
    }

    func claim(_ code: RemoteLoginCode, _ session: TestSession) async throws -> TestResponse {
        try await post(
            RemoteLoginClaim(code: code), to: .claimRemoteLogin, headers: credentials(session, .claimRemoteLogin))
    }

    func beginRemoteLogin(_ id: RemoteLoginID, _ session: TestSession) async throws -> TestResponse {
        try await post(
            RemoteLoginRequest(login: id), to: .beginRemoteLogin, headers: credentials(session, .beginRemoteLogin))
    }

    /// Returns a signed answer to a new challenge.
    func answer(
        _ decision: TransactionDecision,
        to notice: RemoteLoginNotice,
        number: String? = nil,
        _ session: TestSession,
        _ change: (inout Draft) throws -> Void = { _ in }
    ) async throws -> RemoteLoginAnswer {
        let begun = try await beginRemoteLogin(notice.id, session).message(RemoteLoginChallenge.self)
        var draft = try session.device.remoteLoginDraft(
            decision, on: notice, number: number, user: session.user, challenge: begun.challenge, to: issuer)
        try change(&draft)
        return RemoteLoginAnswer(handle: begun.handle, message: try draft.text())
    }

    func finishRemoteLogin(_ answer: RemoteLoginAnswer) async throws -> TestResponse {
        try await post(answer, to: .finishRemoteLogin)
    }

    /// Confirms the only login that waits for the session's user.
    @discardableResult
    func confirmRemoteLogin(number: String? = nil, _ session: TestSession) async throws -> RemoteLoginState {
        let logins = try await remoteLogins(session).logins
        try #require(logins.count == 1)
        return try await finishRemoteLogin(answer(.confirm, to: logins[0], number: number, session))
            .message(RemoteLoginResult.self).state
    }
}

extension TestDevice {
    func remoteLoginDraft(
        _ decision: TransactionDecision,
        on notice: RemoteLoginNotice,
        number: String?,
        user: UserID,
        challenge: Challenge,
        to issuer: Issuer,
        now: NumericDate = TestTime.current
    ) throws -> Draft {
        try Draft(
            RemoteLoginClaims(
                issuer: .default, subject: user, audience: issuer, issuedAt: now, expiresAt: now + .seconds(60),
                challenge: challenge, login: notice.id, decision: decision, detailsHash: notice.details.hash,
                number: number.map { try #require(RemoteLoginNumber(rawValue: $0)) }),
            header: JWSHeader(algorithm: algorithm, type: .remoteLogin, keyID: key.id), signer: key)
    }
}
