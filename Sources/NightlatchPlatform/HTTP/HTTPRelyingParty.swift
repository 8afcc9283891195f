public import Nightlatch
public import NightlatchWire

/// The relying party over HTTP.
///
/// It stores only the newest nonce for DPoP proofs: no cookies, no cache, no credentials. Redirects are not followed,
/// since a relying party has none.
public struct HTTPRelyingParty: RelyingParty {
    let connection: HTTPConnection

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - issuer: The relying party's URL, from the app's configuration.
    ///   - timeout: The maximum time for a whole answer.
    ///   - transport: Sends the requests, for example with other certificate authorities than the system's. If nil,
    ///     Foundation sends them.
    public init(issuer: Issuer, timeout: Duration = .seconds(30), transport: (any HTTPTransport)? = nil) {
        connection = HTTPConnection(issuer: issuer, timeout: timeout, transport: transport)
    }

    public var issuer: Issuer { connection.issuer }

    public var newestNonce: DPoPNonce? { get async { await connection.nonces.newest } }

    public func enrolmentCode(_ credentials: Credentials) async throws(RelyingPartyError) -> EnrolmentCodeGrant {
        try await connection.send(credentials, to: .enrolByPassword)
    }

    public func beginBinding(_ request: BindingRequest) async throws(RelyingPartyError) -> BindingChallenge {
        try await connection.send(request, to: .beginBinding)
    }

    public func finishBinding(_ answer: BindingAnswer) async throws(RelyingPartyError) -> BindingResult {
        try await connection.send(answer, to: .finishBinding)
    }

    public func beginLogin(_ request: LoginRequest) async throws(RelyingPartyError) -> LoginChallenge {
        try await connection.send(request, to: .beginLogin)
    }

    public func tokens(_ request: TokenRequest, proof: String) async throws(RelyingPartyError) -> TokenGrant {
        try await connection.send(form: request.fields, to: .token, headers: ["DPoP": proof])
    }

    public func revokeToken(_ token: PresentedToken, proof: String) async throws(RelyingPartyError) {
        try await connection.send(form: token.fields, to: .revokeToken, headers: ["DPoP": proof])
    }

    public func devices(_ authorization: Authorization) async throws(RelyingPartyError) -> DeviceList {
        try await connection.send(to: .devices, headers: authorization.headers)
    }

    public func rename(
        _ device: DeviceID,
        _ request: RenameDeviceRequest,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> DeviceSummary {
        try await connection.send(
            request, to: .renameDevice, path: Route.renameDevice.path(device: device), headers: authorization.headers)
    }

    public func block(
        _ device: DeviceID,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> DeviceSummary {
        try await connection.send(
            to: .blockDevice, path: Route.blockDevice.path(device: device), headers: authorization.headers)
    }

    public func unblock(
        _ device: DeviceID,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> DeviceSummary {
        try await connection.send(
            to: .unblockDevice, path: Route.unblockDevice.path(device: device), headers: authorization.headers)
    }

    public func revoke(
        _ device: DeviceID,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> DeviceSummary {
        try await connection.send(
            to: .revokeDevice, path: Route.revokeDevice.path(device: device), headers: authorization.headers)
    }

    public func pendingTransactions(
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> TransactionNoticeList {
        try await connection.send(to: .pendingTransactions, headers: authorization.headers)
    }

    public func beginDecision(
        _ request: DecisionRequest,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> DecisionChallenge {
        try await connection.send(request, to: .beginDecision, headers: authorization.headers)
    }

    public func finishDecision(_ answer: DecisionAnswer) async throws(RelyingPartyError) -> DecisionResult {
        try await connection.send(answer, to: .finishDecision)
    }

    public func remoteLogins(
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> RemoteLoginNoticeList {
        try await connection.send(to: .remoteLogins, headers: authorization.headers)
    }

    public func claimRemoteLogin(
        _ claim: RemoteLoginClaim,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> RemoteLoginNotice {
        try await connection.send(claim, to: .claimRemoteLogin, headers: authorization.headers)
    }

    public func beginRemoteLogin(
        _ request: RemoteLoginRequest,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> RemoteLoginChallenge {
        try await connection.send(request, to: .beginRemoteLogin, headers: authorization.headers)
    }

    public func finishRemoteLogin(_ answer: RemoteLoginAnswer) async throws(RelyingPartyError) -> RemoteLoginResult {
        try await connection.send(answer, to: .finishRemoteLogin)
    }

    /// Returns the keys that sign the relying party's access tokens.
    public func signingKeys() async throws(RelyingPartyError) -> JWKSet {
        try await connection.send(to: .jwks)
    }

    /// Returns the health if the relying party can serve requests now. Otherwise throws.
    public func checkReadiness() async throws(RelyingPartyError) -> Health {
        try await connection.send(to: .readiness)
    }
}
