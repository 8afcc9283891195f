import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire
import Testing

/// A bound device whose messages the test itself signs, so that it can send one of them many times.
struct SigningDevice: Sendable {
    let id: DeviceID
    let user: UserID
    private let issuer: Issuer
    private let key = P256.Signing.PrivateKey()
    private let possession = P256.Signing.PrivateKey()

    /// Binds a new device to `user`.
    init(of user: String, boundBy fleet: ServerFleet) async throws {
        self.user = try #require(UserID(rawValue: user))
        issuer = fleet.issuer
        let answer = try await Self.beginBinding(of: self.user, key, possession, at: fleet)
        id = try await HTTPRelyingParty(issuer: fleet.addresses[0]).finishBinding(answer).device
    }

    /// Begins the binding of a new device to `user`, and signs the answer that finishes it.
    static func beginBinding(of user: String, at fleet: ServerFleet) async throws -> BindingAnswer {
        try await beginBinding(
            of: #require(UserID(rawValue: user)), P256.Signing.PrivateKey(), P256.Signing.PrivateKey(), at: fleet)
    }

    private static func beginBinding(
        of user: UserID,
        _ key: P256.Signing.PrivateKey,
        _ possession: P256.Signing.PrivateKey,
        at fleet: ServerFleet
    ) async throws -> BindingAnswer {
        let code = try await fleet.backend.enrolmentCode(for: user).code
        return try await beginBinding(
            with: code, key, possession, at: HTTPRelyingParty(issuer: fleet.addresses[0]), of: fleet.issuer)
    }

    /// Begins the binding of a new device with a code, at one of the servers of `issuer`, and signs the answer that
    /// finishes it.
    static func beginBinding(
        with code: EnrolmentCode,
        _ key: P256.Signing.PrivateKey = .init(),
        _ possession: P256.Signing.PrivateKey = .init(),
        at party: HTTPRelyingParty,
        of issuer: Issuer
    ) async throws -> BindingAnswer {
        let (publicKey, possessionKey) = (try jwk(key), try jwk(possession))
        let begun = try await party.beginBinding(
            BindingRequest(enrolmentCode: code, deviceKey: publicKey.thumbprint))
        let message = UnsignedJWS(
            BindingClaims(
                issuer: .default, subject: begun.user, audience: issuer, issuedAt: begun.issuedAt,
                expiresAt: begun.issuedAt + .seconds(60), challenge: begun.challenge,
                possessionKey: possessionKey.thumbprint, deviceName: try #require(DeviceName(rawValue: "Phone"))),
            algorithm: .es256, key: publicKey)
        return BindingAnswer(handle: begun.handle, message: try sign(message, with: key))
    }

    /// Begins a login, and signs the request that finishes it.
    ///
    /// The nonce is for the request's DPoP proof, at any server.
    func beginLogin(
        at party: HTTPRelyingParty
    ) async throws -> (challenge: Challenge, request: TokenRequest, nonce: DPoPNonce?) {
        let begun = try await party.beginLogin(LoginRequest(user: user, device: id))
        let message = UnsignedJWS(
            LoginClaims(
                issuer: .default, subject: user, audience: issuer, issuedAt: begun.issuedAt,
                expiresAt: begun.issuedAt + .seconds(60), challenge: begun.challenge,
                possessionKey: try Self.jwk(possession).thumbprint),
            algorithm: .es256, keyID: try Self.jwk(key).thumbprint)
        let request = TokenRequest.login(assertion: try Self.sign(message, with: key), handle: begun.handle)
        return (begun.challenge, request, await party.newestNonce)
    }

    /// Begins a decision, and signs the answer that finishes it.
    func beginDecision(
        _ decision: TransactionDecision,
        on transaction: TransactionID,
        details: TransactionDetails,
        token: AccessToken,
        nonce: DPoPNonce?,
        at party: HTTPRelyingParty
    ) async throws -> DecisionAnswer {
        let authorization = Authorization(
            accessToken: token, proof: try proof(for: .beginDecision, token: token, nonce: nonce))
        let begun = try await party.beginDecision(DecisionRequest(transaction: transaction), authorization)
        let message = UnsignedJWS(
            DecisionClaims(
                issuer: .default, subject: user, audience: issuer, issuedAt: begun.issuedAt,
                expiresAt: begun.issuedAt + .seconds(60), challenge: begun.challenge, transaction: transaction,
                decision: decision, detailsHash: details.hash),
            algorithm: .es256, keyID: try Self.jwk(key).thumbprint)
        return DecisionAnswer(handle: begun.handle, message: try Self.sign(message, with: key))
    }

    /// Returns a proof for one request, by default a token request. `path` is needed if the route's path has a
    /// variable.
    func proof(
        for route: Route = .token,
        path: String? = nil,
        token: AccessToken? = nil,
        nonce: DPoPNonce?
    ) throws -> String {
        let claims = DPoPClaims(
            method: route.method.rawValue, url: issuer.rawValue + (path ?? route.path), issuedAt: NumericDate(Date()),
            accessTokenHash: token.map(AccessTokenHash.init(of:)), nonce: nonce)
        return try Self.sign(UnsignedJWS(claims, algorithm: .es256, key: Self.jwk(possession)), with: possession)
    }

    /// Signs a message about the device's two-party PIN.
    ///
    /// - Parameters:
    ///   - statement: The content of the message.
    ///   - knowledge: The knowledge key, for statements that it signs; nil for those that the device's own keys sign.
    func pinMessage(
        _ statement: some PinStatement,
        by knowledge: P256.Signing.PrivateKey? = nil
    ) throws -> String {
        let now = NumericDate(Date())
        let claims = PinClaims(
            issuer: .default, subject: user, audience: issuer, device: id, issuedAt: now, expiresAt: now + .seconds(60),
            statement)
        let own = statement is PinGuess || statement is PinInquiry ? possession : key
        let signer = knowledge ?? own
        return try Self.sign(UnsignedJWS(claims, algorithm: .es256, key: Self.jwk(signer)), with: signer)
    }

    private static func jwk(_ key: P256.Signing.PrivateKey) throws -> PublicJWK {
        .ec(try #require(ECPublicJWK(coordinates: Array(key.publicKey.rawRepresentation))))
    }

    private static func sign(_ message: UnsignedJWS, with key: P256.Signing.PrivateKey) throws -> String {
        message.signed(try key.signature(for: message.signingInput).rawRepresentation)
    }
}
