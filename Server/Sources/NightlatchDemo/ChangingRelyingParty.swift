import Nightlatch
import NightlatchWire

/// An attacker between the device and the server. Replaces the payee in the backend's transactions.
struct ChangingRelyingParty: RelyingParty {
    let base: any RelyingParty
    let payee: Payee

    var issuer: Issuer { base.issuer }
    var newestNonce: DPoPNonce? { get async { await base.newestNonce } }

    func pendingTransactions(_ authorization: Authorization) async throws(RelyingPartyError) -> TransactionNoticeList {
        let notices = try await base.pendingTransactions(authorization).transactions
        return TransactionNoticeList(
            transactions: notices.compactMap { notice in
                do {
                    let details = try TransactionDetails(
                        amount: notice.details.amount, currency: notice.details.currency, payee: payee,
                        lines: notice.details.lines, expiresAt: notice.details.expiresAt)
                    return TransactionNotice(id: notice.id, details: details)
                } catch {
                    // The other payee's name makes the details too long. The attacker then drops the payment.
                    return nil
                }
            })
    }

    func enrolmentCode(_ credentials: Credentials) async throws(RelyingPartyError) -> EnrolmentCodeGrant {
        try await base.enrolmentCode(credentials)
    }

    func beginBinding(_ request: BindingRequest) async throws(RelyingPartyError) -> BindingChallenge {
        try await base.beginBinding(request)
    }

    func finishBinding(_ answer: BindingAnswer) async throws(RelyingPartyError) -> BindingResult {
        try await base.finishBinding(answer)
    }

    func beginLogin(_ request: LoginRequest) async throws(RelyingPartyError) -> LoginChallenge {
        try await base.beginLogin(request)
    }

    func tokens(_ request: TokenRequest, proof: String) async throws(RelyingPartyError) -> TokenGrant {
        try await base.tokens(request, proof: proof)
    }

    func revokeToken(_ token: PresentedToken, proof: String) async throws(RelyingPartyError) {
        try await base.revokeToken(token, proof: proof)
    }

    func devices(_ authorization: Authorization) async throws(RelyingPartyError) -> DeviceList {
        try await base.devices(authorization)
    }

    func rename(
        _ device: DeviceID,
        _ request: RenameDeviceRequest,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> DeviceSummary {
        try await base.rename(device, request, authorization)
    }

    func block(_ device: DeviceID, _ authorization: Authorization) async throws(RelyingPartyError) -> DeviceSummary {
        try await base.block(device, authorization)
    }

    func unblock(_ device: DeviceID, _ authorization: Authorization) async throws(RelyingPartyError) -> DeviceSummary {
        try await base.unblock(device, authorization)
    }

    func revoke(_ device: DeviceID, _ authorization: Authorization) async throws(RelyingPartyError) -> DeviceSummary {
        try await base.revoke(device, authorization)
    }

    func beginDecision(
        _ request: DecisionRequest,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> DecisionChallenge {
        try await base.beginDecision(request, authorization)
    }

    func finishDecision(_ answer: DecisionAnswer) async throws(RelyingPartyError) -> DecisionResult {
        try await base.finishDecision(answer)
    }

    func remoteLogins(_ authorization: Authorization) async throws(RelyingPartyError) -> RemoteLoginNoticeList {
        try await base.remoteLogins(authorization)
    }

    func claimRemoteLogin(
        _ claim: RemoteLoginClaim,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> RemoteLoginNotice {
        try await base.claimRemoteLogin(claim, authorization)
    }

    func beginRemoteLogin(
        _ request: RemoteLoginRequest,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> RemoteLoginChallenge {
        try await base.beginRemoteLogin(request, authorization)
    }

    func finishRemoteLogin(_ answer: RemoteLoginAnswer) async throws(RelyingPartyError) -> RemoteLoginResult {
        try await base.finishRemoteLogin(answer)
    }
}
