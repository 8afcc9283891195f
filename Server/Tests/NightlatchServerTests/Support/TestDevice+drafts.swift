import Crypto
import Foundation
import NightlatchServerTesting
import NightlatchWire

/// The messages that a device of a test makes.
extension TestDevice {
    func bindingDraft(
        user: UserID,
        challenge: Challenge,
        to issuer: Issuer,
        name: DeviceName,
        now: NumericDate = TestTime.current
    ) throws -> Draft {
        try Draft(
            BindingClaims(
                issuer: .default, subject: user, audience: issuer, issuedAt: now, expiresAt: now + .seconds(60),
                challenge: challenge, possessionKey: possession.id, deviceName: name),
            header: JWSHeader(algorithm: algorithm, type: .binding, key: key.jwk), signer: key)
    }

    func loginDraft(
        user: UserID,
        challenge: Challenge,
        to issuer: Issuer,
        userVerification: UserVerification? = .pin,
        now: NumericDate = TestTime.current
    ) throws -> Draft {
        try Draft(
            LoginClaims(
                issuer: .default, subject: user, audience: issuer, issuedAt: now, expiresAt: now + .seconds(60),
                challenge: challenge, possessionKey: possession.id, userVerification: userVerification),
            header: JWSHeader(algorithm: algorithm, type: .login, keyID: key.id), signer: key)
    }

    func proofDraft(
        method: String,
        url: String,
        token: AccessToken? = nil,
        nonce: DPoPNonce? = nil,
        now: NumericDate = TestTime.current
    ) throws -> Draft {
        try Draft(
            DPoPClaims(
                method: method, url: url, issuedAt: now, accessTokenHash: token.map(AccessTokenHash.init(of:)),
                nonce: nonce),
            header: JWSHeader(algorithm: .es256, type: .dpop, key: possession.jwk), signer: possession)
    }
}
