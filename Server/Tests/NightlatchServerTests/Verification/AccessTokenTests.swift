import Foundation
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchTokenVerification
import NightlatchWire
import Testing

@Suite("Access tokens")
struct AccessTokenTests {
    private let key = Result { try TokenSigningKey.random() }

    private func issuer() throws -> TokenIssuer {
        try #require(TokenIssuer(relyingParty: Fixture.issuer(), life: .seconds(300), keys: [key.get()]))
    }

    private func token(from issuer: TokenIssuer) throws -> AccessToken {
        try issuer.accessToken(
            user: Fixture.alice(), device: .random(), client: .default, session: .random(),
            authentication: Fixture.authentication, possessionKey: .random(), now: TestTime.current)
    }

    @Test("A token is valid until it expires, to the second")
    func life() throws {
        let issuer = try issuer()
        let token = try token(from: issuer)
        let verifier = AccessTokenVerifier(
            relyingParty: try Fixture.issuer(), clients: [.default], keys: issuer.publicKeys)
        #expect(try verifier.verify(token, now: TestTime.current + .seconds(299)).claims.subject == Fixture.alice())
        #expect(throws: AccessTokenRefusal.expired) {
            try verifier.verify(token, now: TestTime.current + .seconds(300))
        }
    }

    @Test("A token issued by a clock that is more than a minute ahead is refused until then")
    func issuedAhead() throws {
        let issuer = try issuer()
        let token = try token(from: issuer)
        let verifier = AccessTokenVerifier(
            relyingParty: try Fixture.issuer(), clients: [.default], keys: issuer.publicKeys)
        #expect(throws: AccessTokenRefusal.issuedAhead) {
            try verifier.verify(token, now: TestTime.current + .seconds(-61))
        }
        #expect(try verifier.verify(token, now: TestTime.current + .seconds(-60)).claims.subject == Fixture.alice())
    }

    @Test("Tokens of another issuer, for another audience or with an unknown key are refused")
    func others() throws {
        let issuer = try issuer()
        let token = try token(from: issuer)
        let elsewhere = AccessTokenVerifier(
            relyingParty: try #require(Issuer(rawValue: "https://other.example")), clients: [.default],
            keys: issuer.publicKeys)
        #expect(throws: AccessTokenRefusal.notOurs) { try elsewhere.verify(token, now: TestTime.current) }
        let stranger = AccessTokenVerifier(
            relyingParty: try Fixture.issuer(), clients: [.default], keys: [try TestKey.newEC().jwk])
        #expect(throws: AccessTokenRefusal.unknownKey) { try stranger.verify(token, now: TestTime.current) }
    }

    @Test("A token of an app that is no longer allowed is refused")
    func removedApp() throws {
        let issuer = try issuer()
        let token = try token(from: issuer)
        let verifier = AccessTokenVerifier(
            relyingParty: try Fixture.issuer(), clients: [try #require(ClientID(rawValue: "other"))],
            keys: issuer.publicKeys)
        #expect(throws: AccessTokenRefusal.unknownClient) { try verifier.verify(token, now: TestTime.current) }
    }

    @Test("A changed token is refused, whichever character was changed")
    func changed() throws {
        let issuer = try issuer()
        let text = try token(from: issuer).rawValue
        let verifier = AccessTokenVerifier(
            relyingParty: try Fixture.issuer(), clients: [.default], keys: issuer.publicKeys)
        for index in text.indices {
            let changed = text.replacingCharacters(in: index...index, with: text[index] == "A" ? "B" : "A")
            let token = try #require(AccessToken(rawValue: changed))
            #expect(throws: AccessTokenRefusal.self) { try verifier.verify(token, now: TestTime.current) }
        }
    }

    @Test("A login message is not an access token")
    func otherKind() throws {
        let device = TestDevice()
        let text = try device.loginDraft(user: Fixture.alice(), challenge: .random(), to: Fixture.issuer()).text()
        let verifier = AccessTokenVerifier(
            relyingParty: try Fixture.issuer(), clients: [.default], keys: [try device.key.jwk])
        let token = try #require(AccessToken(rawValue: text))
        #expect(throws: AccessTokenRefusal.malformed(.wrongType(.login))) {
            try verifier.verify(token, now: TestTime.current)
        }
    }

    @Test("A signing key opens only under its own master key")
    func sealedKey() throws {
        let masterKey = MasterKey.random()
        let sealed = try key.get().sealed(under: masterKey, createdAt: TestTime.current, activeFrom: TestTime.current)
        #expect(try TokenSigningKey(sealed, under: masterKey).id == key.get().id)
        #expect(throws: TokenSigningKey.Refusal.sealBroken) { try TokenSigningKey(sealed, under: .random()) }
        for index in sealed.box.indices {
            var box = sealed.box
            box[index] ^= 1
            let changed = SealedSigningKey(
                id: sealed.id, box: box, createdAt: sealed.createdAt, activeFrom: sealed.activeFrom)
            #expect(throws: TokenSigningKey.Refusal.sealBroken) { try TokenSigningKey(changed, under: masterKey) }
        }
        let renamed = SealedSigningKey(
            id: .random(), box: sealed.box, createdAt: sealed.createdAt, activeFrom: sealed.activeFrom)
        #expect(throws: TokenSigningKey.Refusal.sealBroken) { try TokenSigningKey(renamed, under: masterKey) }
    }
}
