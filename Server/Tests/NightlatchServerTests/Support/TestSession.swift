import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

extension TestDevice {
    func decisionDraft(
        _ decision: TransactionDecision,
        on transaction: TransactionID,
        details: TransactionDetails,
        user: UserID,
        challenge: Challenge,
        to issuer: Issuer,
        now: NumericDate = TestTime.current
    ) throws -> Draft {
        try Draft(
            DecisionClaims(
                issuer: .default, subject: user, audience: issuer, issuedAt: now, expiresAt: now + .seconds(60),
                challenge: challenge, transaction: transaction, decision: decision, detailsHash: details.hash),
            header: JWSHeader(algorithm: algorithm, type: .transaction, keyID: key.id), signer: key)
    }
}

/// A test device with a session.
struct TestSession: Sendable {
    let device: TestDevice
    let id: DeviceID
    let user: UserID
    let token: AccessToken
}

extension TestCaller {
    func newSession(of user: UserID) async throws -> TestSession {
        let device = TestDevice()
        let id = try await bind(device, to: user)
        let grant = try await logIn(device, id: id, user: user).message(TokenGrant.self)
        return TestSession(device: device, id: id, user: user, token: grant.accessToken)
    }

    var backendHeaders: [String: String] { ["Authorization": "Bearer " + backendKey.rawValue] }

    func create(
        _ details: TransactionDetails,
        id: TransactionID = .random(),
        for user: UserID,
        devices: TransactionAddressees = .allDevices
    ) async throws -> TestResponse {
        try await post(
            TransactionRequest(id: id, user: user, devices: devices, details: details), to: .createTransaction,
            headers: backendHeaders)
    }

    func report(_ id: TransactionID) async throws -> TransactionReport {
        try await call(.get, Route.transaction.path(transaction: id), headers: backendHeaders).message()
    }

    func void(_ id: TransactionID) async throws -> TestResponse {
        try await call(.post, Route.voidTransaction.path(transaction: id), headers: backendHeaders)
    }

    func pending(_ session: TestSession) async throws -> [TransactionNotice] {
        try await call(.get, Route.pendingTransactions.path, headers: credentials(session, .pendingTransactions))
            .message(TransactionNoticeList.self).transactions
    }

    func beginDecision(on id: TransactionID, _ session: TestSession) async throws -> TestResponse {
        try await post(
            DecisionRequest(transaction: id), to: .beginDecision, headers: credentials(session, .beginDecision))
    }

    /// Returns a signed answer to a new challenge.
    func answer(
        _ decision: TransactionDecision,
        to notice: TransactionNotice,
        _ session: TestSession,
        _ change: (inout Draft) throws -> Void = { _ in }
    ) async throws -> DecisionAnswer {
        let begun = try await beginDecision(on: notice.id, session).message(DecisionChallenge.self)
        var draft = try session.device.decisionDraft(
            decision, on: notice.id, details: notice.details, user: session.user, challenge: begun.challenge, to: issuer
        )
        try change(&draft)
        return DecisionAnswer(handle: begun.handle, message: try draft.text())
    }

    func finish(_ answer: DecisionAnswer) async throws -> TestResponse { try await post(answer, to: .finishDecision) }

    func credentials(_ session: TestSession, _ route: Route) throws -> [String: String] {
        [
            "Authorization": "DPoP " + session.token.rawValue,
            "DPoP": try proof(by: session.device, for: route, token: session.token),
        ]
    }
}
