import Crypto
import Foundation
import NightlatchWire

/// A bound device with its two keys in memory.
struct LoadDevice: Sendable {
    private(set) var id: DeviceID
    let user: UserID
    let publicKey: PublicJWK
    let possessionKeyID: KeyID
    private let key = P256.Signing.PrivateKey()
    private let possessionKey = P256.Signing.PrivateKey()
    private let keyID: KeyID
    private let possessionPublicKey: PublicJWK

    init(number: Int) throws {
        guard let id = DeviceID(rawValue: Self.randomDigits()), let user = UserID(rawValue: "load-\(number)") else {
            throw CocoaError(.coderInvalidValue)
        }
        self.id = id
        self.user = user
        publicKey = try Self.publicKey(of: key)
        keyID = publicKey.thumbprint
        possessionPublicKey = try Self.publicKey(of: possessionKey)
        possessionKeyID = possessionPublicKey.thumbprint
    }

    /// Returns the same device with the id that a relying party has assigned.
    func bound(as id: DeviceID) -> Self {
        var device = self
        device.id = id
        return device
    }

    func assertion(for challenge: LoginChallenge, at issuer: Issuer) throws -> String {
        let message = UnsignedJWS(
            LoginClaims(
                issuer: .default, subject: user, audience: issuer, issuedAt: challenge.issuedAt,
                expiresAt: challenge.issuedAt + MessageLife.ofAssertions, challenge: challenge.challenge,
                possessionKey: possessionKeyID),
            algorithm: .es256, keyID: keyID)
        return message.signed(try key.signature(for: message.signingInput).rawRepresentation)
    }

    /// Returns a DPoP proof for the token endpoint.
    func proof(at issuer: Issuer, nonce: DPoPNonce?) throws -> String {
        let message = UnsignedJWS(
            DPoPClaims(
                method: Route.token.method.rawValue, url: issuer.rawValue + Route.token.path,
                issuedAt: NumericDate(Date()), nonce: nonce),
            algorithm: .es256, key: possessionPublicKey)
        return message.signed(try possessionKey.signature(for: message.signingInput).rawRepresentation)
    }

    /// Returns a message about a two-party PIN. The possession key signs a guess; the device key signs every other
    /// statement.
    func pinMessage(_ statement: some PinStatement, at issuer: Issuer) throws -> String {
        let now = NumericDate(Date())
        let claims = PinClaims(
            issuer: .default, subject: user, audience: issuer, device: id, issuedAt: now,
            expiresAt: now + MessageLife.ofAssertions, statement)
        let (signer, name) = statement is PinGuess ? (possessionKey, possessionPublicKey) : (key, publicKey)
        let message = UnsignedJWS(claims, algorithm: .es256, key: name)
        return message.signed(try signer.signature(for: message.signingInput).rawRepresentation)
    }

    private static func publicKey(of key: P256.Signing.PrivateKey) throws -> PublicJWK {
        guard let key = ECPublicJWK(coordinates: Array(key.publicKey.rawRepresentation)) else {
            throw CocoaError(.coderInvalidValue)
        }
        return .ec(key)
    }

    private static func randomDigits() -> String {
        (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
