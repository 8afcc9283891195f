import Nightlatch
import NightlatchWire

/// A relying party for one device, with each request as a step. An answer needs no step of its own: the next step is
/// what the device does with it.
struct SteppedRelyingParty: RelyingParty {
    let base: ScriptedRelyingParty
    let steps: Steps
    /// Whether the relying party refuses every binding of this device.
    var refusesBindings = false

    var issuer: Issuer { base.issuer }

    var newestNonce: DPoPNonce? { get async { await base.newestNonce } }

    func enrolmentCode(_ credentials: Credentials) async throws(RelyingPartyError) -> EnrolmentCodeGrant {
        await steps.step()
        return try await base.enrolmentCode(credentials)
    }

    func beginBinding(_ request: BindingRequest) async throws(RelyingPartyError) -> BindingChallenge {
        await steps.step()
        return try await base.beginBinding(request)
    }

    func finishBinding(_ answer: BindingAnswer) async throws(RelyingPartyError) -> BindingResult {
        await steps.step()
        guard !refusesBindings else { throw ScriptedRelyingParty.refusal(.messageRefused) }
        return try await base.finishBinding(answer)
    }

    func beginLogin(_ request: LoginRequest) async throws(RelyingPartyError) -> LoginChallenge {
        await steps.step()
        return try await base.beginLogin(request)
    }

    func tokens(_ request: TokenRequest, proof: String) async throws(RelyingPartyError) -> TokenGrant {
        await steps.step()
        return try await base.tokens(request, proof: proof)
    }

    func revokeToken(_ token: PresentedToken, proof: String) async throws(RelyingPartyError) {
        await steps.step()
        try await base.revokeToken(token, proof: proof)
    }

    func devices(_ authorization: Authorization) async throws(RelyingPartyError) -> DeviceList {
        await steps.step()
        return try await base.devices(authorization)
    }

    func rename(
        _ device: DeviceID,
        _ request: RenameDeviceRequest,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> DeviceSummary {
        await steps.step()
        return try await base.rename(device, request, authorization)
    }

    func block(_ device: DeviceID, _ authorization: Authorization) async throws(RelyingPartyError) -> DeviceSummary {
        await steps.step()
        return try await base.block(device, authorization)
    }

    func unblock(_ device: DeviceID, _ authorization: Authorization) async throws(RelyingPartyError) -> DeviceSummary {
        await steps.step()
        return try await base.unblock(device, authorization)
    }

    func revoke(_ device: DeviceID, _ authorization: Authorization) async throws(RelyingPartyError) -> DeviceSummary {
        await steps.step()
        return try await base.revoke(device, authorization)
    }

    func pendingTransactions(_ authorization: Authorization) async throws(RelyingPartyError) -> TransactionNoticeList {
        await steps.step()
        return try await base.pendingTransactions(authorization)
    }

    func beginDecision(
        _ request: DecisionRequest,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> DecisionChallenge {
        await steps.step()
        return try await base.beginDecision(request, authorization)
    }

    func finishDecision(_ answer: DecisionAnswer) async throws(RelyingPartyError) -> DecisionResult {
        await steps.step()
        return try await base.finishDecision(answer)
    }

    func remoteLogins(_ authorization: Authorization) async throws(RelyingPartyError) -> RemoteLoginNoticeList {
        await steps.step()
        return try await base.remoteLogins(authorization)
    }

    func claimRemoteLogin(
        _ claim: RemoteLoginClaim,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> RemoteLoginNotice {
        await steps.step()
        return try await base.claimRemoteLogin(claim, authorization)
    }

    func beginRemoteLogin(
        _ request: RemoteLoginRequest,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> RemoteLoginChallenge {
        await steps.step()
        return try await base.beginRemoteLogin(request, authorization)
    }

    func finishRemoteLogin(_ answer: RemoteLoginAnswer) async throws(RelyingPartyError) -> RemoteLoginResult {
        await steps.step()
        return try await base.finishRemoteLogin(answer)
    }
}
