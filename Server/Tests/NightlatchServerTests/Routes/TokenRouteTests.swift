import CryptoExtras
import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerTesting
import NightlatchTokenVerification
import NightlatchWire
import Testing

@Suite("OAuth routes")
struct TokenRouteTests {
    private func withCaller(_ body: @escaping @Sendable (TestCaller) async throws -> Void) async throws {
        try await TestRelyingParty.with(MemoryRelyingPartyStore(clock: TestTime.clock), body)
    }

    /// A device that has logged in.
    private struct LoggedIn {
        let device = TestDevice()
        let id: DeviceID
        let grant: TokenGrant

        init(_ user: UserID, at caller: TestCaller) async throws {
            id = try await caller.bind(device, to: user)
            grant = try await caller.logIn(device, id: id, user: user).message()
        }
    }

    private static func claims(of token: AccessToken) throws -> AccessTokenClaims {
        try CompactJWS(token.rawValue).claims()
    }

    @Test("The metadata is the document of OpenID Connect, and the token route serves each of its grant types")
    func metadata() async throws {
        try await withCaller { caller in
            let response = try await caller.call(.get, "/.well-known/oauth-authorization-server")
            #expect(response.status == .ok)
            #expect(response.headers[.cacheControl] == "public, max-age=300")
            let discovery = try await caller.call(.get, "/.well-known/openid-configuration")
            #expect(response.text == discovery.text)
            let document = try response.json()
            let keys = try #require(URL(string: document.text("jwks_uri"))).path
            #expect(try await caller.call(.get, keys).message(JWKSet.self).keys.count == 1)
            let grantTypes = try document.texts("grant_types_supported")
            #expect(grantTypes.contains("urn:ietf:params:oauth:grant-type:jwt-bearer"))
            #expect(Set(grantTypes).count == grantTypes.count)
            for grantType in grantTypes {
                let response = try await caller.form(["grant_type": grantType], to: .token)
                #expect(try response.json().text("error") != "unsupported_grant_type", "\(grantType)")
            }
            for grantType in ["client_credentials", "password", "implicit"] {
                let response = try await caller.form(["grant_type": grantType], to: .token)
                try response.expectOAuthError(.unsupportedGrantType, .malformedRequest)
            }
        }
    }

    @Test("Proofs with each algorithm in the metadata are accepted, and others are refused")
    func proofAlgorithms() async throws {
        try await withCaller { caller in
            let metadata = try await caller.call(.get, Route.metadata.path).json()
            let algorithms = try metadata.texts("dpop_signing_alg_values_supported")
            let rsa = TestKey.rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048))
            func send(_ algorithm: String) async throws -> TestResponse {
                let device = TestDevice(possession: algorithm == "ES256" ? .newEC() : rsa)
                var draft = try device.proofDraft(
                    method: "POST", url: caller.issuer.rawValue + Route.revokeToken.path,
                    nonce: caller.nonces.nonce(at: TestTime.current))
                draft.header["alg"] = algorithm
                return try await caller.form(["token": "x"], to: .revokeToken, headers: ["DPoP": try draft.text()])
            }
            #expect(algorithms == ["ES256", "RS256", "RS384", "RS512"])
            for algorithm in algorithms {
                #expect(try await send(algorithm).status == .ok, "\(algorithm)")
            }
            for algorithm in ["none", "HS256", "ES384", "PS256"] {
                try await send(algorithm).expectOAuthError(.invalidDPoPProof, .dpopProofRefused)
            }
        }
    }

    @Test(
        "An access token states when and how its user logged in, also after a refresh",
        arguments: [
            (nil, ["pop"]), (UserVerification.pin, ["pop", "pin", "mfa"]), (.biometrics, ["pop", "user", "mfa"]),
            (.recoveryPhrase, ["pop", "user"]),
        ], StoreKind.allCases)
    func authentication(of login: (UserVerification?, [String]), kind: StoreKind) async throws {
        try await kind.with { store in
            try await TestRelyingParty.with(store) { caller in
                let (alice, device) = (try Fixture.alice(), TestDevice())
                let id = try await caller.bind(device, to: alice)
                let begun = try await caller.beginLogin(user: alice, device: id)
                let assertion = try device.loginDraft(
                    user: alice, challenge: begun.challenge, to: caller.issuer, userVerification: login.0
                ).text()
                let grant = try await caller.token(
                    .login(assertion: assertion, handle: begun.handle), proof: caller.proof(by: device)
                ).message(TokenGrant.self)
                let claims = try Self.claims(of: grant.accessToken)
                #expect(claims.authenticatedAt == TestTime.current)
                #expect(claims.contextClass.rawValue == "phr")
                #expect(claims.methods.map(\.rawValue) == login.1)
                #expect(claims.confirmation.possessionKey == (try device.possession.id))

                try await TestTime.after(.seconds(3600)) {
                    let refreshed = try await caller.refresh(grant.refreshToken, by: device).message(TokenGrant.self)
                    let later = try Self.claims(of: refreshed.accessToken)
                    #expect(later.authenticatedAt == claims.authenticatedAt)
                    #expect(later.methods == claims.methods)
                    #expect(later.session == claims.session)
                    #expect(later.issuedAt == TestTime.current)
                    #expect(later.id != claims.id)
                    let again = try await caller.logIn(device, id: id, user: alice).message(TokenGrant.self)
                    let next = try Self.claims(of: again.accessToken)
                    #expect(next.authenticatedAt == TestTime.current)
                    #expect(next.session != claims.session)
                }
            }
        }
    }

    @Test(
        "Revoking any token of a login ends that whole login at once, and no other", arguments: [false, true],
        StoreKind.allCases)
    func revocation(byAccessToken: Bool, kind: StoreKind) async throws {
        try await kind.with { store in
            try await TestRelyingParty.with(store) { caller in
                let alice = try Fixture.alice()
                let (phone, tablet) = (
                    try await LoggedIn(alice, at: caller), try await LoggedIn(alice, at: caller)
                )
                let grant = phone.grant
                let text = byAccessToken ? grant.accessToken.rawValue : grant.refreshToken.rawValue
                for _ in 1...2 {
                    let response = try await caller.revokeToken(text, by: phone.device)
                    #expect(response.status == .ok && response.text.isEmpty)
                    #expect(response.headers[.cacheControl] == "no-store")
                    #expect(response.headers[try #require(.init("Pragma"))] == "no-cache")
                }
                try await caller.devices(by: phone.device, token: grant.accessToken)
                    .expectProblem(.accessTokenRefused, 401)
                try await caller.refresh(grant.refreshToken, by: phone.device)
                    .expectOAuthError(.invalidGrant, .refreshTokenRefused)
                #expect(try await caller.devices(by: tablet.device, token: tablet.grant.accessToken).status == .ok)
                #expect(try await caller.refresh(tablet.grant.refreshToken, by: tablet.device).status == .ok)
                #expect(try await caller.logIn(phone.device, id: phone.id, user: alice).status == .ok)
            }
        }
    }

    @Test("Revoking needs a proof by the token's own key, and the refusal says so", arguments: [false, true])
    func revocationByOthers(byAccessToken: Bool) async throws {
        try await withCaller { caller in
            let phone = try await LoggedIn(try Fixture.alice(), at: caller)
            let text = byAccessToken ? phone.grant.accessToken.rawValue : phone.grant.refreshToken.rawValue
            try await caller.revokeToken(text, by: TestDevice()).expectOAuthError(.invalidDPoPProof, .dpopProofRefused)
            try await caller.form(["token": text], to: .revokeToken)
                .expectOAuthError(.invalidDPoPProof, .dpopProofRefused)
            let elsewhere = try caller.proof(by: phone.device, for: .token)
            try await caller.form(["token": text], to: .revokeToken, headers: ["DPoP": elsewhere])
                .expectOAuthError(.invalidDPoPProof, .dpopProofRefused)
            #expect(try await caller.devices(by: phone.device, token: phone.grant.accessToken).status == .ok)
            #expect(try await caller.refresh(phone.grant.refreshToken, by: phone.device).status == .ok)
        }
    }

    @Test("Revoking an unknown token succeeds, and a form without a token is malformed")
    func revocationOfNothing() async throws {
        try await withCaller { caller in
            let device = TestDevice()
            for text in ["x", "not a token!", String(repeating: "A", count: 64), String(repeating: "a", count: 5000)] {
                #expect(try await caller.revokeToken(text, by: device).status == .ok)
            }
            for fields in [[:], ["token": ""], ["token_type_hint": "access_token"]] {
                try await caller.form(
                    fields, to: .revokeToken, headers: ["DPoP": caller.proof(by: device, for: .revokeToken)]
                ).expectOAuthError(.invalidRequest, .malformedRequest)
            }
        }
    }

    @Test("The backend gets the details of a token and the key that must prove it")
    func introspection() async throws {
        try await withCaller { caller in
            let alice = try Fixture.alice()
            let phone = try await LoggedIn(alice, at: caller)
            let claims = try Self.claims(of: phone.grant.accessToken)
            let access = try await caller.introspect(phone.grant.accessToken.rawValue).message(TokenIntrospection.self)
            #expect(access.details == TokenIntrospection.Details(claims))
            #expect(access.details?.confirmation.possessionKey == (try phone.device.possession.id))
            #expect(access.details?.tokenType == .dpop)

            let text = try await caller.introspect(phone.grant.refreshToken.rawValue)
            let refresh = try #require(try text.message(TokenIntrospection.self).details)
            #expect(refresh.subject == alice && refresh.device == phone.id && refresh.session == claims.session)
            #expect(refresh.confirmation.possessionKey == (try phone.device.possession.id))
            #expect(refresh.expiresAt == TestTime.current + .seconds(30 * 24 * 60 * 60))
            #expect(refresh.methods == claims.methods && refresh.authenticatedAt == claims.authenticatedAt)
            #expect(refresh.tokenType == nil && refresh.audience == nil)
            #expect(!text.text.contains("token_type"))
        }
    }

    @Test("Introspection of an inactive token reveals nothing, whatever the reason", arguments: StoreKind.allCases)
    func inactive(kind: StoreKind) async throws {
        try await kind.with { store in
            try await TestRelyingParty.with(store) { caller in
                func expectInactive(_ texts: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws
                {
                    for text in texts {
                        let response = try await caller.introspect(text)
                        #expect(response.text == #"{"active":false}"#, sourceLocation: sourceLocation)
                        #expect(response.headers[.cacheControl] == "no-store", sourceLocation: sourceLocation)
                    }
                }
                let alice = try Fixture.alice()
                let phone = try await LoggedIn(alice, at: caller)
                let (first, access) = (phone.grant.refreshToken, phone.grant.accessToken)
                try await expectInactive("x", "not a token!", String(access.rawValue.dropLast(4)) + "AAAA")
                try await TestTime.after(.seconds(300)) { try await expectInactive(access.rawValue) }
                try await TestTime.after(.seconds(31 * 24 * 60 * 60)) { try await expectInactive(first.rawValue) }

                let second = try await caller.refresh(first, by: phone.device).message(TokenGrant.self)
                #expect(try await caller.introspect(first.rawValue).message(TokenIntrospection.self).isActive)
                let third = try await caller.refresh(second.refreshToken, by: phone.device).message(TokenGrant.self)
                try await expectInactive(first.rawValue)
                #expect(try await caller.introspect(access.rawValue).message(TokenIntrospection.self).isActive)

                let next = try await caller.logIn(phone.device, id: phone.id, user: alice).message(TokenGrant.self)
                try await expectInactive(access.rawValue, third.refreshToken.rawValue, third.accessToken.rawValue)
                _ = try await store.revoke(phone.id, of: alice)
                try await expectInactive(next.accessToken.rawValue, next.refreshToken.rawValue)
            }
        }
    }

    @Test("An access token becomes invalid with its family when a refresh token is used twice")
    func reuse() async throws {
        try await withCaller { caller in
            let phone = try await LoggedIn(try Fixture.alice(), at: caller)
            let second = try await caller.refresh(phone.grant.refreshToken, by: phone.device).message(TokenGrant.self)
            let third = try await caller.refresh(second.refreshToken, by: phone.device).message(TokenGrant.self)
            #expect(try await caller.devices(by: phone.device, token: third.accessToken).status == .ok)
            #expect(try await caller.refresh(phone.grant.refreshToken, by: phone.device).status == .badRequest)
            try await caller.devices(by: phone.device, token: third.accessToken).expectProblem(.accessTokenRefused, 401)
        }
    }

    @Test("Only the backend may introspect a token", arguments: [nil, "Bearer wrong", "DPoP the-backend-key"])
    func introspectionByOthers(authorization: String?) async throws {
        try await withCaller { caller in
            let headers = authorization.map { ["Authorization": $0] } ?? [:]
            let response = try await caller.form(["token": "x"], to: .introspectToken, headers: headers)
            try response.expectOAuthError(.invalidClient, .backendKeyRefused, 401)
            #expect(response.headers[.wwwAuthenticate] == "Bearer")
        }
    }

    @Test("If the store is unavailable, no token is called inactive and none is revoked")
    func brokenStore() async throws {
        try await TemporaryFolder.with { folder in
            let (masterKey, good) = (
                MasterKey.random(), try SQLiteStore(path: folder + "/store.sqlite", clock: TestTime.clock)
            )
            try await TestRelyingParty.with(good, masterKey: masterKey) { caller in
                let phone = try await LoggedIn(try Fixture.alice(), at: caller)
                let broken = BrokenStore(reading: good, failure: RelyingPartyStoreError(.unavailable))
                try await TestRelyingParty.with(broken, masterKey: masterKey) { caller in
                    try await caller.revokeToken(phone.grant.refreshToken.rawValue, by: phone.device)
                        .expectOAuthError(.temporarilyUnavailable, .unavailable, 503)
                }
                try good.close()
                for text in [phone.grant.accessToken.rawValue, phone.grant.refreshToken.rawValue] {
                    let response = try await caller.introspect(text)
                    #expect(response.status.code >= 500 && !response.text.contains("active"))
                }
            }
        }
    }
}
