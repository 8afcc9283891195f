import Crypto
import Foundation
import NightlatchWire
import Testing

@Suite("Coding of JSON members")
struct JSONMembersTests {
    private let keyID = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI"

    @Test("Foundation's coders give the same result as strict JSON, with and without optional members")
    func throughFoundation() throws {
        let (date, key) = (NumericDate(secondsSince1970: 1_700_000_000), try publicKey())
        let user = try #require(UserID(rawValue: "anna"))
        let issuer = try #require(Issuer(rawValue: "https://a.example"))
        let (jkt, nonce) = (try #require(KeyID(rawValue: keyID)), try #require(DPoPNonce(rawValue: keyID)))
        for verification in [nil, UserVerification.pin] {
            try expectSame(
                LoginClaims(
                    issuer: .default, subject: user, audience: issuer, issuedAt: date, expiresAt: date,
                    challenge: .random(), possessionKey: jkt, userVerification: verification))
            try expectSame(
                AccessTokenClaims(
                    issuer: issuer, subject: user, audience: issuer, clientID: .default, issuedAt: date,
                    expiresAt: date,
                    device: .random(), session: .random(),
                    authentication: Authentication(time: date, userVerification: verification), possessionKey: jkt))
        }
        for nonce in [nil, nonce] {
            try expectSame(DPoPClaims(method: "GET", url: "https://a.example/\"", issuedAt: date, nonce: nonce))
        }
        for (id, key) in [(nil, nil), (jkt, nil), (nil, key), (jkt, key)] as [(KeyID?, PublicJWK?)] {
            try expectSame(JWSHeader(algorithm: .es256, type: .login, keyID: id, key: key))
        }
        try expectSame(key)
        try expectSame(LoginRequest(user: user, device: .random()))
        let token = try #require(RefreshToken(rawValue: keyID))
        try expectSame(
            TokenGrant(
                accessToken: try #require(AccessToken(rawValue: keyID)), expiresInSeconds: 300, refreshToken: token))
    }

    @Test(
        "The error names a member that is missing, null or of another kind",
        arguments: [
            (#"{"device":"04040404040404040404040404040404"}"#, "user"),
            (#"{"device":"04040404040404040404040404040404","user":null}"#, "user"),
            (#"{"device":"04040404040404040404040404040404","user":7}"#, "user"),
            (#"{"device":"04040404040404040404040404040404","user":"a\u00a0b"}"#, "user"),
            (#"{"device":["04040404040404040404040404040404"],"user":"anna"}"#, "device"),
            ("[]", ""), (#""anna""#, ""),
        ]
    )
    func wrongMembers(document: String, path: String) {
        #expect(throws: StrictJSONError.unexpectedShape(path: path)) {
            try StrictJSON.decode(LoginRequest.self, from: Data(document.utf8))
        }
    }

    private func publicKey() throws -> PublicJWK {
        .ec(try #require(ECPublicJWK(coordinates: Array(P256.Signing.PrivateKey().publicKey.rawRepresentation))))
    }

    private func expectSame<Value: Codable & Equatable>(_ value: Value) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = try encoder.encode(value)
        #expect(StrictJSON.encode(value) == text)
        #expect(try StrictJSON.decode(Value.self, from: text) == value)
        #expect(try JSONDecoder().decode(Value.self, from: text) == value)
    }
}
