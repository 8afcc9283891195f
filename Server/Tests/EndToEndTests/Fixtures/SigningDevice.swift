import Crypto
import Foundation
import NightlatchPlatform
import NightlatchWire
import Testing

/// A bound device whose messages the test itself signs, so that it can send one of them many times.
struct SigningDevice: Sendable {
    let id: DeviceID
    private let user: UserID
    private let issuer: Issuer
    private let key = P256.Signing.PrivateKey()
    private let possession = P256.Signing.PrivateKey()

    /// Binds a new device to `user`.
    init(of user: String, boundBy fleet: ServerFleet) async throws {
        self.user = try #require(UserID(rawValue: user))
        issuer = fleet.issuer
        let party = HTTPRelyingParty(issuer: fleet.addresses[0])
        let code = try await fleet.backend.enrolmentCode(for: self.user).code
        let (publicKey, possessionKey) = (try Self.jwk(key), try Self.jwk(possession))
        let begun = try await party.beginBinding(
            BindingRequest(enrolmentCode: code, deviceKey: publicKey.thumbprint))
        let message = UnsignedJWS(
            BindingClaims(
                issuer: .default, subject: begun.user, audience: issuer, issuedAt: begun.issuedAt,
                expiresAt: begun.issuedAt + .seconds(60), challenge: begun.challenge,
                possessionKey: possessionKey.thumbprint, deviceName: try #require(DeviceName(rawValue: "Phone"))),
            algorithm: .es256, key: publicKey)
        id = try await party.finishBinding(
            BindingAnswer(handle: begun.handle, message: try Self.sign(message, with: key))
        ).device
    }

    /// Begins a login, and signs what finishes it. The nonce is for the proof that goes with it, to whichever server.
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

    /// A proof for one request of tokens.
    func proof(nonce: DPoPNonce?) throws -> String {
        let claims = DPoPClaims(
            method: Route.token.method.rawValue, url: issuer.rawValue + Route.token.path, issuedAt: NumericDate(Date()),
            nonce: nonce)
        return try Self.sign(UnsignedJWS(claims, algorithm: .es256, key: Self.jwk(possession)), with: possession)
    }

    private static func jwk(_ key: P256.Signing.PrivateKey) throws -> PublicJWK {
        .ec(try #require(ECPublicJWK(coordinates: Array(key.publicKey.rawRepresentation))))
    }

    private static func sign(_ message: UnsignedJWS, with key: P256.Signing.PrivateKey) throws -> String {
        message.signed(try key.signature(for: message.signingInput).rawRepresentation)
    }
}
