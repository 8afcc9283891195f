import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchTokenVerification
import NightlatchWire
import Testing

@Suite("Rotation of signing keys")
struct KeyRotationTests {
    private static let masterKey = MasterKey.random()

    private func keys(
        of store: some SigningKeyStore,
        signingKeyLife: Duration? = nil
    ) async throws -> TokenKeys {
        try await TokenKeys(
            relyingParty: Fixture.issuer(),
            schedule: SigningKeySchedule(accessTokenLife: .seconds(300), signingKeyLife: signingKeyLife), store: store,
            keyring: MasterKeyring(Self.masterKey), now: TestTime.current)
    }

    private static func published(by caller: TestCaller) async throws -> [KeyID] {
        try await caller.call(.get, Route.jwks.path).message(JWKSet.self).keys.map(\.key.thumbprint)
    }

    private static func signer(of token: AccessToken) throws -> KeyID {
        try #require(try CompactJWS(token.rawValue).header.keyID)
    }

    @Test("A new key is published, then used, and the old one stays until its last token has expired")
    func rotation() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await TestRelyingParty.with(store, masterKey: Self.masterKey) { one in
            try await TestRelyingParty.with(store, masterKey: Self.masterKey) { two in
                let (alice, device) = (try Fixture.alice(), TestDevice())
                let id = try await one.bind(device, to: alice)
                let old = try #require(try await Self.published(by: one).first)
                let new = try await store.rotateSigningKey(under: Self.masterKey, now: TestTime.current)
                #expect(new.activeFrom == TestTime.current + .seconds(420))

                var tokens: [AccessToken] = []
                for (seconds, published, signer) in [
                    (61, [old, new.id], old), (419, [old, new.id], old), (420, [old, new.id], new.id),
                    (718, [old, new.id], new.id), (840, [old, new.id], new.id), (4079, [old, new.id], new.id),
                    // An app may have access tokens that live for an hour.
                    (4140, [new.id], new.id),
                ] {
                    try await TestTime.after(.seconds(seconds)) {
                        try await keys(of: store).maintain(now: TestTime.current)
                        for caller in [one, two] {
                            #expect(try await Self.published(by: caller) == published, "\(seconds)")
                            let grant = try await caller.logIn(device, id: id, user: alice).message(TokenGrant.self)
                            #expect(try Self.signer(of: grant.accessToken) == signer, "\(seconds)")
                            tokens.append(grant.accessToken)
                            for other in [one, two] {
                                #expect(try await other.devices(by: device, token: grant.accessToken).status == .ok)
                            }
                            try await Self.expectLivingTokens(tokens, areVerifiedBy: caller)
                        }
                    }
                }
            }
        }
    }

    /// Verifies each live token with the published keys, as a resource server does.
    private static func expectLivingTokens(_ tokens: [AccessToken], areVerifiedBy caller: TestCaller) async throws {
        let keys = try await caller.call(.get, Route.jwks.path).message(JWKSet.self).keys.map(\.key)
        let verifier = AccessTokenVerifier(relyingParty: caller.issuer, clients: nil, keys: keys)
        for token in tokens {
            let claims: AccessTokenClaims = try CompactJWS(token.rawValue).claims()
            guard claims.expiresAt > TestTime.current else { continue }
            #expect(try verifier.verify(token, now: TestTime.current).claims == claims)
        }
    }

    @Test("A process that has not yet read a new key reads it when it sees a token with it, at most once a second")
    func unknownKey() async throws {
        let store = ScriptedKeyStore()
        let early = try await keys(of: store)
        let newest = try #require(try await store.signingKeys().last)
        let next = try TokenSigningKey.random().sealed(
            under: Self.masterKey, createdAt: TestTime.current, activeFrom: TestTime.current + .seconds(1))
        _ = try await store.addSigningKey(next, after: newest.id)
        try await TestTime.after(.seconds(2)) {
            let token = try self.token(by: await keys(of: store).issuer(now: TestTime.current))
            #expect(try Self.signer(of: token) == next.id)
            let verified = try await early.verify(token, from: [.default], now: TestTime.current)
            #expect(verified.claims.subject == (try Fixture.alice()))

            let stranger = try #require(
                TokenIssuer(relyingParty: Fixture.issuer(), life: .seconds(300), keys: [.random()]))
            let forged = try self.token(by: stranger)
            let count = await store.readCount
            for _ in 1...20 {
                await #expect(throws: Refusal.accessTokenRefused(.unknownKey)) {
                    try await early.verify(forged, from: [.default], now: TestTime.current)
                }
            }
            #expect(await store.readCount == count)
            try await TestTime.after(.seconds(1)) {
                await #expect(throws: Refusal.accessTokenRefused(.unknownKey)) {
                    try await early.verify(forged, from: [.default], now: TestTime.current)
                }
            }
            #expect(await store.readCount == count + 1)
        }
    }

    private func token(by issuer: TokenIssuer) throws -> AccessToken {
        try issuer.accessToken(
            user: Fixture.alice(), device: .random(), client: .default, session: .random(),
            authentication: Fixture.authentication, possessionKey: .random(), now: TestTime.current)
    }

    @Test("A key that is old enough is followed by one new key")
    func age() async throws {
        let (store, day) = (ScriptedKeyStore(), Duration.seconds(24 * 60 * 60))
        let keys = try await keys(of: store, signingKeyLife: day * 90)
        for (time, count) in [
            (day * 89, 1), (day * 90 - .seconds(1), 1), (day * 90, 2), (day * 91, 1), (day * 180, 1),
            (day * 180 + .seconds(420), 2),
        ] {
            try await TestTime.after(time) {
                for _ in 1...3 { try await keys.maintain(now: TestTime.current) }
                let signingKeys = try await store.signingKeys()
                #expect(signingKeys.count == count, "\(time)")
            }
        }
    }

    @Test("Without a maximum age, keys are rotated only on request")
    func agelessness() async throws {
        let store = ScriptedKeyStore()
        let keys = try await keys(of: store)
        try await TestTime.after(.seconds(1_000_000_000)) {
            try await keys.maintain(now: TestTime.current)
            let count = try await store.signingKeys().count
            #expect(count == 1)
        }
    }

    @Test(
        """
        If the store is unavailable, keys stay published and still verify, but a key that may be outdated does not \
        sign
        """)
    func brokenStore() async throws {
        let store = ScriptedKeyStore()
        let keys = try await keys(of: store)
        let issuer = try await keys.issuer(now: TestTime.current)
        let token = try token(by: issuer)
        await store.fail()
        try await TestTime.after(.seconds(60)) {
            let later = try await keys.issuer(now: TestTime.current)
            #expect(later.publicKeys == issuer.publicKeys)
        }
        try await TestTime.after(.seconds(62)) {
            let stranger = try #require(
                TokenIssuer(relyingParty: Fixture.issuer(), life: .seconds(300), keys: [.random()]))
            let forged = try self.token(by: stranger)
            let count = await store.readCount
            let refusals = try await inParallel(50) { () -> Refusal? in
                do throws(Refusal) {
                    _ = try await keys.verify(forged, from: [.default], now: TestTime.current)
                    return nil
                } catch {
                    return error
                }
            }
            #expect(refusals == Array(repeating: .store(RelyingPartyStoreError(.unavailable)), count: 50))
            // However many requests bring a token with an unknown key.
            #expect(await store.readCount == count + 1)
        }
        for seconds in [61, -1] {
            try await TestTime.after(.seconds(seconds)) {
                await #expect(throws: RelyingPartyStoreError(.unavailable)) {
                    try await keys.issuer(now: TestTime.current)
                }
                #expect(await keys.publicKeys(now: TestTime.current) == issuer.publicKeys)
                let verified = try await keys.verify(token, from: [.default], now: TestTime.current)
                #expect(verified.claims.subject == (try Fixture.alice()))
            }
        }
    }
}
