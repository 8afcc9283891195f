import Foundation
import Nightlatch
import NightlatchJourney
import NightlatchTesting
import Testing

@Suite("Tokens of a journey's user")
struct TokenTests {
    private let phone = TokenPhone()
    private var server: TokenServer { phone.server }

    @Test("The session becomes a code and the code becomes tokens, with PKCE, state, nonce and the session's header")
    func flow() async throws {
        let journey = phone.journey {
            $0.acrValues = "strong"
            $0.additionalParameters = ["custom": "a b&c", "client_id": "another"]
        }
        let user = try await phone.user(of: journey)
        #expect(server.visited == [.authenticate], "nothing is requested before the app asks for tokens")
        let token = try await user.token().get()
        #expect(server.visited == [.authenticate, .discovery, .authorize, .token])
        #expect(token.accessToken == "access-1" && token.refreshToken == "refresh-1" && token.expiresIn == 600)
        #expect(token.expiresAt == 1_790_000_600 && token.scope == "openid profile" && token.tokenType == "Bearer")
        let request = try #require(server.requests(to: .authorize).first)
        #expect(request.method == "GET" && request.headers["386c0d288bac4b9"] == "session-1")
        #expect(request.headers["Accept-API-Version"] == "resource=2.1, protocol=1.0")
        let query = TokenServer.query(of: request)
        #expect(query["response_type"] == "code" && query["code_challenge_method"] == "S256")
        #expect(query["scope"] == "openid profile" && query["client_id"] == "app" && query["custom"] == "a b&c")
        #expect(query["acr_values"] == "strong" && query["redirect_uri"] == TokenServer.redirectUri)
        #expect(!request.url.absoluteString.contains("+"))
        let form = TokenServer.form(of: try #require(server.requests(to: .token).first))
        #expect(form["code_verifier"]?.count == 43 && form["client_id"] == "app")
        for name in ["state", "nonce", "code_challenge"] { #expect(query[name]?.count == 43) }
    }

    @Test("Two requests share no random value")
    func randomness() async throws {
        let user = try await phone.user(of: phone.journey())
        _ = try await user.token().get()
        await user.revoke()
        _ = try await user.token().get()
        let queries = server.requests(to: .authorize).map(TokenServer.query)
        for name in ["state", "nonce", "code_challenge"] { #expect(Set(queries.map { $0[name] }).count == 2) }
    }

    @Test("Valid tokens are returned without a request, also by a new journey over the same stores")
    func stored() async throws {
        let user = try await phone.user(of: phone.journey())
        let token = try await user.token().get()
        #expect(try await user.token().get() == token)
        let later = phone.journey()
        let again = try #require(await later.journeyUser())
        #expect(again.session?.value == "session-1")
        #expect(try await again.token().get() == token)
        #expect(server.requests(to: .token).count == 1)
        #expect(await later.session()?.value == "session-1")
        #expect(phone.allStores.count == 2)
        let forgetful = phone.journey(storesNothing: true)
        #expect(await forgetful.journeyUser() == nil)
    }

    @Test("Tokens are renewed before their end by the threshold, and a refresh keeps what its answer leaves out")
    func refresh() async throws {
        let user = try await phone.user(of: phone.journey { $0.refreshThreshold = 30 })
        _ = try await user.token().get()
        phone.wait(seconds: 569)
        #expect(try await user.token().get().accessToken == "access-1")
        phone.wait(seconds: 1)
        server.script(.token, .response(200, #"{"access_token":"access-2","expires_in":60,"token_type":"bearer"}"#))
        let token = try await user.token().get()
        #expect(token.accessToken == "access-2" && token.refreshToken == "refresh-1" && token.idToken != nil)
        let form = TokenServer.form(of: try #require(server.requests(to: .token).last))
        #expect(form == ["grant_type": "refresh_token", "refresh_token": "refresh-1", "client_id": "app"])
        #expect(try await user.refresh().get().accessToken == "access-2")
        #expect(server.requests(to: .authorize).count == 1)
    }

    @Test("Many callers at the same time cause one request, and all get its tokens")
    func shared() async throws {
        let queued = QueuedCalls()
        let user = try await phone.user(of: phone.journey { queued.observe($0) })
        _ = try await user.token().get()
        phone.wait(seconds: 600)
        let gate = server.hold(.token)
        let first = Task { await user.token() }
        await gate.arrival()
        // The request continues for the other callers.
        first.cancel()
        let tokens = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { try? await user.token().get().accessToken } }
            // The first token, the cancelled caller and these.
            await queued.wait(for: 22)
            gate.open()
            return await group.reduce(into: [] as Set<String?>) { $0.insert($1) }
        }
        #expect(tokens == ["access-2"])
        #expect(try await first.value.get().accessToken == "access-2")
        #expect(server.requests(to: .token).count == 2)
    }

    @Test("A refresh that fails costs no caller the tokens that are still valid")
    func failingRefresh() async throws {
        let queued = QueuedCalls()
        let user = try await phone.user(of: phone.journey { queued.observe($0) })
        let valid = try await user.token().get()
        server.script(.token, .lost)
        let gate = server.hold(.token)
        let refresh = Task { await user.refresh() }
        await gate.arrival()
        let tokens = Task { await user.token() }
        await queued.wait(for: 3)
        gate.open()
        await #expect(throws: OidcError.self) { try await refresh.value.get() }
        #expect(try await tokens.value.get() == valid)
    }

    @Test("The discovery document is read once for many callers, and a failed attempt is repeated")
    func discovery() async throws {
        let user = try await phone.user(of: phone.journey())
        server.script(.discovery, .page, .response(503, "{}"), .lost)
        for _ in 0..<3 { await #expect(throws: OidcError.self) { try await user.token().get() } }
        _ = try await user.token().get()
        _ = try await user.userinfo(cache: false).get()
        await user.revoke()
        #expect(server.requests(to: .discovery).count == 4)
    }

    @Test("A refresh token that the server refuses leads to the session, and without a session to the login")
    func invalidGrant() async throws {
        let journey = phone.journey()
        let user = try await phone.user(of: journey)
        _ = try await user.token().get()
        phone.wait(seconds: 600)
        server.forgetRefreshToken()
        #expect(try await user.token().get().accessToken == "access-2")
        #expect(server.requests(to: .authorize).count == 2)
        phone.wait(seconds: 600)
        server.forgetRefreshToken()
        await journey.deleteSession()
        let alone = try #require(await journey.journeyUser())
        let error = try #require(await failure(of: alone.token()))
        guard case .authorizeError = error else { throw JourneyPhone.Unexpected() }
        #expect(error.advice == .signIn)
        #expect(try await phone.tokenStore?.read() != nil)
    }

    @Test(
        "An answer that is not the server's refusal of the grant leaves tokens and session as they are",
        arguments: [
            .response(429, #"{"error":"slow_down"}"#), .response(500, ""), .response(503, "<h1>Down</h1>"), .lost,
            .page,
            .response(200, "{}"), .response(200, #"{"access_token":"x","expires_in":"600"}"#),
            .response(200, #"{"access_token":"x","expires_in":600,"token_type":"DPoP"}"#),
            .response(400, #"{"error":"invalid_client"}"#), .response(400, #"{"error":"invalid_grant: no"}"#),
            .response(401, #"{"error":"invalid_grant"}"#),
            .response(400, #"{"code":400,"reason":"Bad Request","message":"m","error":"invalid_grant"}"#),
            .response(200, #"{"access_token":"x","expires_in":600,"id_token":"\#(Self.mallory)"}"#),
        ] as [TokenServer.Answer])
    func refreshFails(_ answer: TokenServer.Answer) async throws {
        let journey = phone.journey { $0.refreshThreshold = 60 }
        let user = try await phone.user(of: journey)
        let before = try await user.token().get()
        phone.wait(seconds: 599)
        server.script(.token, answer)
        #expect(try await user.token().get() == before, "the access token has not ended yet")
        phone.wait(seconds: 1)
        server.script(.token, answer)
        await #expect(throws: OidcError.self) { try await user.token().get() }
        server.script(.token, answer)
        await #expect(throws: OidcError.self) { try await user.refresh().get() }
        #expect(server.requests(to: .authorize).count == 1)
        #expect(server.requests(to: .revoke).isEmpty)
        #expect(await journey.session()?.value == "session-1")
        #expect(try await user.token().get().accessToken == "access-2")
    }

    @Test(
        "An answer of the authorization endpoint that is wrong in any part gives no tokens and costs no session",
        arguments: [
            .redirect("code=code-1&state=another"), .redirect("code=code-1"), .redirect("code=code-1&state=STATE"),
            .redirect("code=code-1&state=STATE&iss=https%3A%2F%2Fevil.example"),
            .redirect("code=evil&code=code-1&state=STATE&iss=\(Self.issuer)"),
            .redirect("state=STATE&iss=\(Self.issuer)"),
            .redirect("code=code-1&state=STATE&state=STATE&iss=\(Self.issuer)"),
            .redirect("code=%zz&state=STATE&iss=\(Self.issuer)"),
            .redirect("error=access_denied&state=STATE&iss=\(Self.issuer)"),
            .redirect("error=access_denied&state=another"),
            .response(302, headers: ["Location": "https://evil.example/?code=code-1"], ""),
            .response(302, headers: ["Location": "com.example.app:/oauth2redirect.evil?code=code-1"], ""),
            .response(302, ""), .response(200, "<html>"), .response(429, "{}"), .response(500, ""), .lost,
            .response(400, #"{"error":"invalid_client","error_description":"Unknown client"}"#),
        ] as [TokenServer.Answer])
    func authorizationFails(_ answer: TokenServer.Answer) async throws {
        let journey = phone.journey()
        let user = try await phone.user(of: journey)
        server.script(.authorize, answer)
        await #expect(throws: OidcError.self) { try await user.token().get() }
        #expect(server.requests(to: .token).isEmpty)
        #expect(await journey.session()?.value == "session-1")
        #expect(try await user.token().get().accessToken == "access-1")
    }

    private static let mallory = TokenServer.idToken(user: "mallory", nonce: nil)
    private static let issuer = "https%3A%2F%2Fexample.com%2Fam%2Foauth2%2Falpha"

    @Test("An error that the server redirects with is reported with its description")
    func refusal() async throws {
        let user = try await phone.user(of: phone.journey())
        server.script(
            .authorize, .redirect("error=access_denied&error_description=Not%20today&state=STATE&iss=\(Self.issuer)"))
        #expect(await failure(of: user.token())?.errorMessage == "Authorization error: access_denied: Not today")
        server.script(
            .authorize, .redirect("error=access_denied&error_description=Not+1%2B1&state=STATE&iss=\(Self.issuer)"))
        #expect(await failure(of: user.token())?.errorMessage == "Authorization error: access_denied: Not 1+1")
        server.script(.authorize, .response(400, #"{"error":"invalid_client","error_description":"Unknown"}"#))
        #expect(await failure(of: user.token())?.errorMessage == "API error: 400 invalid_client: Unknown")
        server.script(.authorize, .lost)
        #expect(await failure(of: user.token())?.advice == .checkNetwork)
    }

    @Test("An ID token for another client, server or request is refused with its access token")
    func idToken() async throws {
        let user = try await phone.user(of: phone.journey())
        let wrong: [@Sendable (String) -> String] = [
            { _ in "no token" }, { _ in TokenServer.idToken(nonce: nil) }, { TokenServer.idToken(nonce: $0 + "x") },
            { TokenServer.idToken(audience: #""another""#, nonce: $0) },
            { TokenServer.idToken(audience: #"["another"]"#, nonce: $0) },
            { TokenServer.idToken(issuer: "https://evil.example", nonce: $0) },
            { TokenServer.idToken(nonce: $0, others: #","azp":"another""#) },
            { TokenServer.idToken(nonce: $0, life: #""iat":1,"exp":1"#) },
            { TokenServer.idToken(nonce: $0, life: #""iat":1"#) },
            { TokenServer.idToken(nonce: $0, life: #""exp":1"#) },
        ]
        for token in wrong {
            server.script(.token, .idToken(token))
            guard case .authorizeError = await failure(of: user.token()) else { throw JourneyPhone.Unexpected() }
        }
        server.script(
            .token,
            .idToken { TokenServer.idToken(audience: #"["other","app"]"#, nonce: $0, others: #","azp":"app""#) })
        #expect(try await user.token().get().accessToken == "x")
    }

    @Test("The session is sent to the configured servers alone, whatever the discovery document says")
    func sessionServer() async throws {
        let user = try await phone.user(of: phone.journey())
        server.script(.discovery, .changed("\(TokenServer.base)/authorize", to: "https://evil.example/authorize"))
        await #expect(throws: OidcError.self) { try await user.token().get() }
        #expect(server.visited == [.authenticate, .discovery])
    }

    @Test("Tokens of an earlier session are never given to the next user, and are revoked")
    func otherUser() async throws {
        let journey = phone.journey()
        _ = try await phone.user(of: journey).token().get()
        server.logIn(as: "bob")
        let bob = try await phone.user(of: journey)
        server.script(.authorize, .lost)
        await #expect(throws: OidcError.self) { try await bob.token().get() }
        #expect(try await bob.token().get().accessToken == "access-2")
        let revoked = try #require(server.requests(to: .revoke).first)
        #expect(TokenServer.form(of: revoked) == ["token": "refresh-1", "client_id": "app"])
    }

    @Test("After a user without tokens of their own, no tokens of the user before are left")
    func otherUserWithoutTokens() async throws {
        let journey = phone.journey()
        _ = try await phone.user(of: journey).token().get()
        server.logIn(as: "bob")
        let bob = try await phone.user(of: journey)
        await journey.deleteSession()
        #expect(await journey.journeyUser() == nil)
        #expect(await failure(of: bob.token())?.advice == .signIn)
        // The removal is a task of its own, which may begin after that call.
        for _ in 0..<100_000 where try await phone.tokenStore?.read() != nil { await Task.yield() }
        #expect(try await phone.tokenStore?.read() == nil)
        #expect(await phone.journey().journeyUser() == nil)
    }

    @Test("New tokens that cannot be stored are used, and stored by a later call")
    func fullStore() async throws {
        let storage = TiredStorage()
        let user = try await phone.user(of: phone.journey { $0.storage = storage })
        _ = try await user.token().get()
        phone.wait(seconds: 600)
        await storage.tire(.full)
        for _ in 0..<2 { #expect(try await user.token().get().accessToken == "access-2") }
        #expect(await storage.item?.accessToken == "access-1")
        await storage.tire(nil)
        #expect(try await user.token().get().accessToken == "access-2")
        #expect(await storage.item?.accessToken == "access-2")
        #expect(server.requests(to: .token).count == 2)
    }

    @Test("A storage that cannot be read is never treated as empty")
    func lockedStore() async throws {
        let storage = TiredStorage()
        let journey = phone.journey { $0.storage = storage }
        _ = try await phone.user(of: journey).token().get()
        await journey.deleteSession()
        await storage.tire(.unavailable)
        let user = try #require(await journey.journeyUser())
        guard case .unknown(let cause?, _) = await failure(of: user.token()) else { throw JourneyPhone.Unexpected() }
        #expect(cause as? StoreError == StoreError(.unavailable))
        await storage.tire(nil)
        #expect(try await user.token().get().accessToken == "access-1")
        #expect(server.requests(to: .token).count == 1)
    }

    @Test("Tokens that the store itself finds damaged stay until new ones replace them")
    func damagedRecord() async throws {
        let store = BreakableStore()
        let journey = phone.journey { $0.storage = SecureStorage(store) }
        _ = try await phone.user(of: journey).token().get()
        store.damage()
        await journey.deleteSession()
        #expect(await journey.journeyUser() == nil)
        await #expect(throws: StoreError(.corrupt)) { try await store.read() }
        #expect(try await phone.user(of: journey).token().get().accessToken == "access-2")
        #expect(try await store.read() != nil)
    }

    @Test("Damaged tokens stay until new ones replace them")
    func damagedStore() async throws {
        let journey = phone.journey()
        _ = try await phone.user(of: journey).token().get()
        let store = try #require(phone.tokenStore)
        let written = try #require(try await store.read())
        let damaged = StoredRecord(revision: written.revision + 1, bytes: Array("{}".utf8))
        try await store.replace(damaged, expecting: written.revision)
        await journey.deleteSession()
        #expect(await journey.journeyUser() == nil)
        #expect(try await store.read() == damaged)
        #expect(try await phone.user(of: journey).token().get().accessToken == "access-2")
    }

    @Test("A caller in a new session does not join the request of the session before")
    func newSession() async throws {
        let queued = QueuedCalls()
        let journey = phone.journey { queued.observe($0) }
        let alice = try await phone.user(of: journey)
        let gate = server.hold(.token)
        let first = Task { await alice.token() }
        await gate.arrival()
        let bob = try await phone.user(of: journey)
        let second = Task { await bob.token() }
        await queued.wait(for: 2)
        gate.open()
        #expect(try await first.value.get().accessToken == "access-1")
        #expect(try await second.value.get().accessToken == "access-2")
    }

    @Test("A revocation and a logout remove everything here, even if the server does not answer")
    func endings() async throws {
        let journey = phone.journey()
        let user = try await phone.user(of: journey)
        _ = try await user.token().get()
        server.script(.revoke, .lost)
        await user.revoke()
        #expect(try await phone.tokenStore?.read() == nil)
        #expect(try await user.token().get().accessToken == "access-2")
        server.script(.revoke, .response(500, ""))
        server.script(.sessions, .lost)
        await user.logout()
        #expect(await journey.session() == nil)
        #expect(await journey.journeyUser() == nil)
        #expect(await phone.journey().journeyUser() == nil)
        for store in phone.allStores.values { #expect(try await store.read() == nil) }
    }

    @Test("A sign-off revokes the tokens, then ends the session, and keeps what the server did not confirm")
    func signOff() async throws {
        let journey = phone.journey()
        _ = try await phone.user(of: journey).token().get()
        server.script(.revoke, .lost)
        await #expect(throws: OidcError.self) { try await journey.signOff().get() }
        #expect(try await phone.tokenStore?.read() != nil)
        server.script(.sessions, .lost)
        await #expect(throws: JourneyError.self) { try await journey.signOff().get() }
        #expect(await journey.session() != nil)
        try await journey.signOff().get()
        #expect(await journey.journeyUser() == nil)
        #expect(server.visited.suffix(4) == [.revoke, .revoke, .sessions, .sessions])
    }

    @Test("The profile is cached until the app asks for a new one, and is refused if it is another user's")
    func userinfo() async throws {
        let user = try await phone.user(of: phone.journey())
        let profile = try await user.userinfo(cache: true).get()
        #expect(profile["name"] as? String == "Alice" && profile["email_verified"] as? Bool == true)
        #expect(profile["updated_at"] as? Int == 5 && profile["address"] != nil)
        _ = try await user.userinfo(cache: true).get()
        #expect(server.requests(to: .userinfo).count == 1)
        #expect(server.requests(to: .userinfo).first?.headers["Authorization"] == "Bearer access-1")
        server.script(.userinfo, .changed("alice", to: "mallory"))
        await #expect(throws: OidcError.self) { try await user.userinfo(cache: false).get() }
    }

    @Test("A token that the server refuses for a profile is renewed once")
    func refusedToken() async throws {
        let user = try await phone.user(of: phone.journey())
        _ = try await user.token().get()
        let refused = TokenServer.Answer.response(401, #"{"error":"invalid_token"}"#)
        server.script(.userinfo, refused)
        #expect(try await user.userinfo(cache: false).get()["name"] as? String == "Alice")
        #expect(
            server.requests(to: .userinfo).map { $0.headers["Authorization"] } == [
                "Bearer access-1", "Bearer access-2",
            ])
        server.script(.userinfo, refused, refused)
        #expect(await failure(of: user.userinfo(cache: false))?.errorMessage == "API error: 401 invalid_token")
        #expect(server.requests(to: .userinfo).count == 4 && server.requests(to: .token).count == 3)
        server.script(.userinfo, refused)
        server.script(.token, .lost)
        #expect(await failure(of: user.userinfo(cache: false))?.advice == .checkNetwork)
    }

    @Test("The advice is a new login only if that may help")
    func advice() async throws {
        let journey = phone.journey()
        let user = try await phone.user(of: journey)
        func advice(_ answer: TokenServer.Answer) async -> Advice? {
            server.script(.authorize, answer)
            return await failure(of: user.token())?.advice
        }
        func refusal(_ error: String) -> TokenServer.Answer {
            .redirect("error=\(error)&state=STATE&iss=\(Self.issuer)")
        }
        let deadSession =
            "invalid_request&error_description=Failed%20to%20get%20resource%20owner%20session%20from%20request"
        for error in ["login_required", "access_denied", deadSession] {
            #expect(await advice(refusal(error)) == .signIn)
        }
        for error in ["temporarily_unavailable", "server_error"] {
            #expect(await advice(refusal(error)) == .tryLater(after: nil))
        }
        for error in ["invalid_request", "invalid_scope", "unauthorized_client"] {
            #expect(await advice(refusal(error)) == .defect(code: "oidc-refused"))
        }
        #expect(await advice(.redirect("code=code-1&state=another")) == .defect(code: "oidc-foreign-answer"))
        server.script(.token, .idToken { _ in Self.mallory })
        #expect(await failure(of: user.token())?.advice == .defect(code: "oidc-foreign-answer"))
        await journey.deleteSession()
        #expect(await failure(of: user.token())?.advice == .signIn)
        let elsewhere = TokenPhone()
        let other = try await elsewhere.user(of: elsewhere.journey())
        elsewhere.server.script(.discovery, .changed("\(TokenServer.base)/authorize", to: "https://evil.example/a"))
        #expect(await failure(of: other.token())?.advice == .defect(code: "oidc-untrusted-server"))
    }

    @Test("An error in the server's own form is reported with its message")
    func ownError() async throws {
        let user = try await phone.user(of: phone.journey())
        server.script(.authorize, .response(404, #"{"code":404,"reason":"Not Found","message":"No such realm"}"#))
        #expect(await failure(of: user.token())?.errorMessage == "API error: 404 No such realm")
        server.script(.token, .response(400, #"{"error":"invalid_grant: not this one"}"#))
        #expect(await failure(of: user.token())?.errorMessage == "API error: 400 invalid_grant: not this one")
    }

    @Test("A profile that was requested before another user's login is never shown to the other user")
    func lateProfile() async throws {
        let journey = phone.journey()
        let alice = try await phone.user(of: journey)
        _ = try await alice.token().get()
        let gate = server.hold(.userinfo)
        server.script(.userinfo, .response(200, #"{"sub":"alice"}"#))
        let late = Task { await alice.userinfo(cache: true) }
        await gate.arrival()
        server.logIn(as: "bob")
        let bob = try await phone.user(of: journey)
        _ = try await bob.token().get()
        gate.open()
        _ = await late.value
        #expect(try await bob.userinfo(cache: true).get()["sub"] as? String == "bob")
    }

    @Test("Without the module, a server or a redirect URI there are errors and no requests")
    func notConfigured() async throws {
        let plain = Journey.createJourney { config in
            config.serverUrl = "https://example.com/am"
            config.transport = server
        }
        let user = try await phone.user(of: plain)
        await #expect(throws: OidcError.self) { try await user.token().get() }
        for change in [{ $0.redirectUri = "" }, { $0.discoveryEndpoint = "http://example.com/x" }]
            as [@Sendable (OidcClientConfig) -> Void]
        {
            let user = try await phone.user(of: phone.journey(change))
            await #expect(throws: OidcError.self) { try await user.token().get() }
        }
        #expect(Set(server.visited) == [.authenticate])
    }

    @Test("Printing tokens or a session shows no token")
    func secrecy() async throws {
        let journey = phone.journey()
        let user = try await phone.user(of: journey)
        let token = try await user.token().get()
        for value in [token, try #require(user.session)] as [Any] {
            var text = "\(value)" + String(reflecting: value)
            dump(value, to: &text)
            for secret in ["access-1", "refresh-1", "session-1"] { #expect(!text.contains(secret), "\(text)") }
        }
    }

    @Test("Neither logs nor errors contain a session, a code or a token")
    func logs() async throws {
        let logger = NotingLogger()
        let storage = TiredStorage()
        let journey = phone.journey {
            $0.logger = logger
            $0.storage = storage
        }
        let user = try await phone.user(of: journey)
        var results: [Result<Token, OidcError>] = []
        for answer in [.response(400, #"{"error":"invalid_request"}"#), .redirect("code=code-1&state=another")]
            as [TokenServer.Answer]
        {
            server.script(.authorize, answer)
            results.append(await user.token())
        }
        await storage.tire(.full)
        results.append(await user.token())
        for answer in [.lost, .page, .response(200, #"{"access_token":"access-9"}"#)] as [TokenServer.Answer] {
            server.script(.token, answer)
            results.append(await user.refresh())
        }
        server.forgetRefreshToken()
        server.script(.authorize, .redirect("error=access_denied&state=STATE&iss=\(Self.issuer)"))
        results.append(await user.refresh())
        await storage.tire(.unavailable)
        server.script(.revoke, .lost)
        await user.logout()
        let texts = logger.texts + results.map { "\($0)" }
        #expect(logger.texts.count >= 3)
        for secret in ["access-", "refresh-", "session-", "code-1"] {
            #expect(!texts.contains { $0.contains(secret) }, "\(texts)")
        }
    }

    private func failure<Value>(of result: Result<Value, OidcError>) -> OidcError? {
        guard case .failure(let error) = result else { return nil }
        return error
    }
}

/// A storage that throws an error while it is tired: `full` when it is written, another one when it is read too.
private actor TiredStorage: Storage {
    private(set) var item: Token?
    private var fault: StoreError.Code?

    func tire(_ fault: StoreError.Code?) { self.fault = fault }

    func save(item: Token) async throws {
        if let fault { throw StoreError(fault) }
        self.item = item
    }

    func get() async throws -> Token? {
        if let fault, fault != .full { throw StoreError(fault) }
        return item
    }

    func delete() async throws {
        if let fault { throw StoreError(fault) }
        item = nil
    }
}

/// Keeps what is logged, with all details of errors.
private struct NotingLogger: JourneyLogger {
    private let noted = Shared<[String]>([])

    var texts: [String] { noted.withLock { $0 } }

    func d(_ message: String) { noted.withLock { $0.append(message) } }
    func i(_ message: String) { d(message) }
    func w(_ message: String, error: (any Error)?) { note(message, error) }
    func e(_ message: String, error: (any Error)?) { note(message, error) }

    private func note(_ message: String, _ error: (any Error)?) {
        d("\(message) \(error.map { String(reflecting: $0) + $0.localizedDescription } ?? "")")
    }
}

/// A store whose record can be damaged, until it is erased.
private struct BreakableStore: SecureStore {
    private let base = MemoryStore()
    private let isDamaged = Shared(false)

    func damage() { isDamaged.withLock { $0 = true } }

    var guarantees: StoreGuarantees { base.guarantees }

    func read() async throws(StoreError) -> StoredRecord? {
        try check()
        return try await base.read()
    }

    func replace(_ record: StoredRecord, expecting expected: UInt64?) async throws(StoreError) {
        try check()
        try await base.replace(record, expecting: expected)
    }

    func remove(expecting expected: UInt64) async throws(StoreError) {
        try check()
        try await base.remove(expecting: expected)
    }

    func erase() async throws(StoreError) {
        try await base.erase()
        isDamaged.withLock { $0 = false }
    }

    private func check() throws(StoreError) {
        if isDamaged.withLock({ $0 }) { throw StoreError(.corrupt) }
    }
}
