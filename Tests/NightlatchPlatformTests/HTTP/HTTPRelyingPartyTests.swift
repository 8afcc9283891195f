import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Relying party over HTTP")
struct HTTPRelyingPartyTests {
    private let login = LoginRequest(user: UserID(unchecked: "alice"), device: .random())
    private let challenge = LoginChallenge(
        challenge: .random(), handle: ChallengeHandle(unchecked: "aGFuZGxl"),
        issuedAt: NumericDate(secondsSince1970: 1), expiresAt: NumericDate(secondsSince1970: 2))

    @Test("A message is sent as JSON to its route below the issuer's path, and its answer is read")
    func json() async throws {
        let challenge = challenge
        let server = try LoopbackServer { _ in
            .answer(status: 200, body: String(decoding: StrictJSON.encode(challenge), as: UTF8.self))
        }
        let party = HTTPRelyingParty(issuer: try #require(Issuer(rawValue: server.url + "/realm")))
        #expect(try await party.beginLogin(login) == challenge)
        let request = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(request.method == "POST")
        #expect(request.path == "/realm/v1/login/begin")
        #expect(request.headers["content-type"] == "application/json")
        #expect(request.headers["accept"] == "application/json")
        #expect(try StrictJSON.decode(LoginRequest.self, from: Data(request.body.utf8)) == login)
    }

    @Test("Tokens are requested with a form and a proof")
    func form() async throws {
        let grant = TokenGrant(
            accessToken: AccessToken(unchecked: "a.b"), expiresInSeconds: 300,
            refreshToken: RefreshToken(unchecked: "r"))
        let server = try LoopbackServer { _ in
            .answer(status: 200, body: String(decoding: StrictJSON.encode(grant), as: UTF8.self))
        }
        let party = try party(server)
        #expect(try await party.tokens(.refresh(RefreshToken(unchecked: "a+b/c=~")), proof: "proof") == grant)
        #expect(
            try await party.tokens(.login(assertion: "x.y.z", handle: challenge.handle), proof: "proof") == grant)
        #expect(server.requests.map(\.path) == ["/oauth/token", "/oauth/token"])
        #expect(server.requests.allSatisfy { $0.headers["content-type"] == "application/x-www-form-urlencoded" })
        #expect(server.requests.allSatisfy { $0.headers["dpop"] == "proof" })
        #expect(
            server.requests.map(\.body) == [
                "grant_type=refresh_token&refresh_token=a%2Bb%2Fc%3D~",
                "assertion=x.y.z&challenge_handle=aGFuZGxl"
                    + "&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer",
            ])
    }

    @Test("The newest nonce of any answer, also of a refusal, is kept; an invalid one is ignored")
    func nonces() async throws {
        let headers = Shared(["DPoP-Nonce: one", "dpop-nonce: two", "DPoP-Nonce: not one", "X-Other: three"])
        let server = try LoopbackServer { request in
            let header = headers.withLock { $0.removeFirst() }
            return .answer(status: header.contains("two") ? 401 : 200, headers: [header], body: "{\"devices\":[]}")
        }
        let party = try party(server)
        let authorization = Authorization(accessToken: AccessToken(unchecked: "token"), proof: "proof")
        #expect(await party.newestNonce == nil)
        for expected in ["one", "two", "two", "two"] {
            _ = try? await party.devices(authorization)
            #expect(await party.newestNonce == DPoPNonce(unchecked: expected))
        }
    }

    @Test("Requests to protected routes carry the token and its proof")
    func authorized() async throws {
        let server = try LoopbackServer { _ in .answer(status: 200, body: "{\"devices\":[]}") }
        let authorization = Authorization(accessToken: AccessToken(unchecked: "token"), proof: "proof")
        #expect(try await party(server).devices(authorization) == DeviceList(devices: []))
        let request = try #require(server.requests.first)
        #expect(request.method == "GET")
        #expect(request.path == "/v1/devices")
        #expect(request.headers["authorization"] == "DPoP token")
        #expect(request.headers["dpop"] == "proof")
        #expect(request.body.isEmpty)
    }

    @Test("A device is renamed, blocked, unblocked and revoked at its own path, with the token and its proof")
    func deviceChanges() async throws {
        let authorization = Authorization(accessToken: AccessToken(unchecked: "token"), proof: "proof")
        let name = DeviceName(unchecked: "Kitchen")
        let summary = DeviceSummary(
            id: .random(), name: name, boundAt: NumericDate(secondsSince1970: 1), lastLoginAt: nil, status: .active,
            isCurrent: true)
        let server = try LoopbackServer { _ in
            .answer(status: 200, body: String(decoding: StrictJSON.encode(summary), as: UTF8.self))
        }
        let party = try party(server)
        #expect(
            try await party.rename(summary.id, RenameDeviceRequest(name: name), authorization) == summary)
        #expect(try await party.block(summary.id, authorization) == summary)
        #expect(try await party.unblock(summary.id, authorization) == summary)
        #expect(try await party.revoke(summary.id, authorization) == summary)
        #expect(
            server.requests.map { $0.method + " " + $0.path }
                == ["rename", "block", "unblock", "revoke"].map { "POST /v1/devices/\(summary.id.rawValue)/\($0)" })
        #expect(server.requests.map(\.body) == [#"{"name":"Kitchen"}"#, "", "", ""])
        #expect(server.requests.allSatisfy { $0.headers["authorization"] == "DPoP token" })
        #expect(server.requests.allSatisfy { $0.headers["dpop"] == "proof" })
    }

    @Test("Transactions are listed and begun with the token and its proof, and finished without")
    func transactions() async throws {
        let authorization = Authorization(accessToken: AccessToken(unchecked: "token"), proof: "proof")
        let id = TransactionID.random()
        let begun = DecisionChallenge(
            challenge: challenge.challenge, handle: challenge.handle, issuedAt: challenge.issuedAt,
            expiresAt: challenge.expiresAt)
        let result = DecisionResult(transaction: id, state: .confirmed)
        let server = try LoopbackServer { request in
            let body =
                switch request.path {
                case "/v1/pending-transactions": "{\"transactions\":[]}"
                case "/v1/decision/begin": String(decoding: StrictJSON.encode(begun), as: UTF8.self)
                default: String(decoding: StrictJSON.encode(result), as: UTF8.self)
                }
            return .answer(status: 200, body: body)
        }
        let party = try party(server)
        #expect(try await party.pendingTransactions(authorization) == TransactionNoticeList(transactions: []))
        #expect(try await party.beginDecision(DecisionRequest(transaction: id), authorization) == begun)
        #expect(try await party.finishDecision(DecisionAnswer(handle: challenge.handle, message: "a.b.c")) == result)
        #expect(
            server.requests.map { $0.method + " " + $0.path } == [
                "GET /v1/pending-transactions", "POST /v1/decision/begin", "POST /v1/decision/finish",
            ])
        #expect(server.requests.map { $0.headers["authorization"] } == ["DPoP token", "DPoP token", nil])
        #expect(server.requests.map { $0.headers["dpop"] } == ["proof", "proof", nil])
    }

    @Test("Remote logins are listed, claimed and begun with the token and its proof, and finished without")
    func remoteLogins() async throws {
        let authorization = Authorization(accessToken: AccessToken(unchecked: "token"), proof: "proof")
        let details = RemoteLoginDetails(
            client: .default, app: AppName(unchecked: "Night Bank"), place: RemoteLoginPlace(unchecked: "192.0.2.7"),
            message: nil, hasNumber: true, requestedAt: challenge.issuedAt, expiresAt: challenge.expiresAt)
        let notice = RemoteLoginNotice(id: .random(), details: details)
        let list = RemoteLoginNoticeList(logins: [notice], isLimitReached: true)
        let begun = RemoteLoginChallenge(
            challenge: challenge.challenge, handle: challenge.handle, issuedAt: challenge.issuedAt,
            expiresAt: challenge.expiresAt)
        let result = RemoteLoginResult(login: notice.id, state: .numberWrong)
        let server = try LoopbackServer { request in
            let body =
                switch request.path {
                case "/v1/remote-logins": StrictJSON.encode(list)
                case "/v1/remote-logins/claim": StrictJSON.encode(notice)
                case "/v1/remote-logins/begin": StrictJSON.encode(begun)
                default: StrictJSON.encode(result)
                }
            return .answer(status: 200, body: String(decoding: body, as: UTF8.self))
        }
        let party = try party(server)
        let code = RemoteLoginCode(unchecked: "c2VhbGVk")
        #expect(try await party.remoteLogins(authorization) == list)
        #expect(try await party.claimRemoteLogin(RemoteLoginClaim(code: code), authorization) == notice)
        #expect(try await party.beginRemoteLogin(RemoteLoginRequest(login: notice.id), authorization) == begun)
        #expect(
            try await party.finishRemoteLogin(RemoteLoginAnswer(handle: challenge.handle, message: "a.b.c")) == result)
        #expect(
            server.requests.map { $0.method + " " + $0.path } == [
                "GET /v1/remote-logins", "POST /v1/remote-logins/claim", "POST /v1/remote-logins/begin",
                "POST /v1/remote-logins/finish",
            ])
        #expect(
            server.requests.map(\.body) == [
                "", #"{"code":"c2VhbGVk"}"#, #"{"login":"\#(notice.id)"}"#,
                #"{"handle":"aGFuZGxl","message":"a.b.c"}"#,
            ])
        #expect(server.requests.map { $0.headers["authorization"] } == ["DPoP token", "DPoP token", "DPoP token", nil])
        #expect(server.requests.map { $0.headers["dpop"] } == ["proof", "proof", "proof", nil])
    }

    @Test("Without a server at the address, the relying party is unreachable")
    func refusedConnection() async throws {
        let url: String
        do {
            url = try LoopbackServer { _ in .hangUp }.url
        }
        let party = HTTPRelyingParty(issuer: try #require(Issuer(rawValue: url)))
        await expectUnreachable(party)
    }

    @Test("Without a complete answer, the relying party is unreachable", arguments: [true, false])
    func noAnswer(isSilent: Bool) async throws {
        let server = try LoopbackServer { _ in isSilent ? .silence : .hangUp }
        let party = HTTPRelyingParty(
            issuer: try #require(Issuer(rawValue: server.url)), timeout: isSilent ? .milliseconds(400) : .seconds(30))
        await expectUnreachable(party)
    }

    @Test("A connection that the server closed after an earlier answer fails at once or is not used again")
    func closedConnection() async throws {
        let body = String(decoding: StrictJSON.encode(challenge), as: UTF8.self)
        let server = try LoopbackServer { _ in .answerOnce(status: 200, body: body) }
        let party = HTTPRelyingParty(issuer: try #require(Issuer(rawValue: server.url)), timeout: .seconds(20))
        for _ in 0..<3 {
            let reason = await unreachableReason { try await party.beginLogin(login) }
            #expect(reason?.contains("no complete answer") != true, "it was waited for until the end")
        }
    }

    private func unreachableReason(_ request: () async throws -> LoginChallenge) async -> String? {
        do {
            _ = try await request()
        } catch RelyingPartyError.unreachable(let reason) {
            return reason
        } catch {
            Issue.record(error)
        }
        return nil
    }

    @Test("A slow answer has the same timeout as a missing one, and its connection is closed")
    func slowAnswer() async throws {
        // The body takes minutes, with at most a twentieth of a second between two bytes.
        let body = String(repeating: " ", count: 5000)
        let server = try LoopbackServer { _ in .drip(body: body) }
        let party = HTTPRelyingParty(
            issuer: try #require(Issuer(rawValue: server.url)), timeout: .milliseconds(300))
        for _ in 0..<2 { await expectUnreachable(party) }
        // The server handles one connection after the other: the second was accepted because the first was closed.
        #expect(server.requests.count == 2)
    }

    @Test("A slow answer that arrives in time is read")
    func patience() async throws {
        let server = try LoopbackServer { _ in .drip(body: #"{"devices":[]}"#) }
        let authorization = Authorization(accessToken: AccessToken(unchecked: "token"), proof: "proof")
        #expect(try await party(server).devices(authorization) == DeviceList(devices: []))
    }

    @Test(
        "An answer outside the protocol is unintelligible",
        arguments: [
            "", "garbage", "<html></html>", "{}", "null", "[1]", "{\"challenge\":1}", "{\"a\":1,\"a\":1}",
        ], [200, 201, 400, 404, 500, 503])
    func garbage(body: String, status: Int) async throws {
        let server = try LoopbackServer { _ in .answer(status: status, body: body) }
        await #expect(throws: RelyingPartyError.unintelligible(status: status)) {
            try await party(server).beginLogin(login)
        }
    }

    @Test("Of an endless answer no more is read than a message may have, and the connection is closed")
    func endless() async throws {
        let server = try LoopbackServer { _ in .endless }
        for _ in 0..<2 {
            await #expect(throws: RelyingPartyError.unintelligible(status: 200)) {
                try await party(server).beginLogin(login)
            }
        }
        // The server handles one connection after the other: the second was accepted because the first was closed.
        #expect(server.requests.count == 2)
    }

    @Test(
        "A problem is a refusal with its code, even with an unknown code",
        arguments: [
            ProblemCode.deviceRevoked, .unavailable, ProblemCode(rawValue: "of_the_future"),
        ])
    func problem(code: ProblemCode) async throws {
        let body = StrictJSON.encode(Problem(code, status: 403, title: "No."))
        let server = try LoopbackServer { _ in
            .answer(
                status: 403, headers: ["Content-Type: application/problem+json"],
                body: String(decoding: body, as: UTF8.self))
        }
        await #expect(throws: RelyingPartyError.refused(RelyingPartyRefusal(code: code, status: 403, title: "No."))) {
            try await party(server).beginLogin(login)
        }
    }

    @Test(
        "A rate limit is no decision, and has the time to wait, at our own routes and at OAuth's",
        arguments: [
            ("7", Duration.seconds(7)), ("0", .zero), ("99999999999", .seconds(86_400)), ("-1", nil), ("soon", nil),
            ("Wed, 21 Oct 2026 07:28:00 GMT", nil), (nil, nil),
        ] as [(String?, Duration?)])
    func rateLimited(header: String?, wait: Duration?) async throws {
        let problem = StrictJSON.encode(Problem(.rateLimited, status: 429, title: "Later."))
        let error = StrictJSON.encode(OAuthError(.temporarilyUnavailable, code: .rateLimited, description: "Later."))
        let refusal = RelyingPartyRefusal(code: .rateLimited, status: 429, title: "Later.", retryAfter: wait)
        #expect(!refusal.isDecision)
        let server = try LoopbackServer { request in
            .answer(
                status: 429, headers: header.map { ["Retry-After: \($0)"] } ?? [],
                body: String(decoding: request.path == "/oauth/token" ? error : problem, as: UTF8.self))
        }
        await #expect(throws: RelyingPartyError.refused(refusal)) { try await party(server).beginLogin(login) }
        await #expect(throws: RelyingPartyError.refused(refusal)) {
            try await party(server).tokens(.refresh(RefreshToken(unchecked: "r")), proof: "p")
        }
    }

    @Test(
        "A refusal of another server or of a proxy is unintelligible, whatever its code",
        arguments: [
            #"{"type":"about:blank","title":"No.","status":403,"code":"message_refused"}"#,
            #"{"type":"https://gateway.example/blocked","title":"No.","status":403,"code":"device_revoked"}"#,
            #"{"type":"urn:nightlatch:problem:not_found","title":"No.","status":403,"code":"device_revoked"}"#,
            #"{"title":"No.","status":403,"code":"device_revoked"}"#,
            #"{"error":"access_denied","error_description":"No.","code":"device_revoked"}"#,
        ])
    func foreignRefusal(body: String) async throws {
        let server = try LoopbackServer { _ in
            .answer(status: 403, headers: ["Content-Type: application/problem+json"], body: body)
        }
        await #expect(throws: RelyingPartyError.unintelligible(status: 403)) {
            try await party(server).finishBinding(BindingAnswer(handle: challenge.handle, message: "x.y.z"))
        }
    }

    @Test("The detail of a malformed request is in the refusal")
    func detail() async throws {
        let problem = Problem(.malformedRequest, status: 400, title: "No.", detail: "user is missing.")
        let server = try LoopbackServer { _ in
            .answer(status: 400, body: String(decoding: StrictJSON.encode(problem), as: UTF8.self))
        }
        let refusal = RelyingPartyRefusal(
            code: .malformedRequest, status: 400, title: "No.", detail: "user is missing.")
        await #expect(throws: RelyingPartyError.refused(refusal)) { try await party(server).beginLogin(login) }
    }

    @Test("An OAuth error is a refusal with our code")
    func oauthError() async throws {
        let body = StrictJSON.encode(OAuthError(.invalidGrant, code: .refreshTokenRefused, description: "Used before."))
        let server = try LoopbackServer { _ in .answer(status: 400, body: String(decoding: body, as: UTF8.self)) }
        let refusal = RelyingPartyRefusal(code: .refreshTokenRefused, status: 400, title: "Used before.")
        await #expect(throws: RelyingPartyError.refused(refusal)) {
            try await party(server).tokens(.refresh(RefreshToken(unchecked: "r")), proof: "p")
        }
    }

    @Test(
        "An OAuth error with an unknown word, or without a description, is a refusal with its code",
        arguments: [
            (#"{"error":"slow_down","error_description":"Later.","code":"unavailable"}"#, "Later."),
            (#"{"error":"invalid_grant","code":"unavailable"}"#, "No reason was given."),
        ])
    func laterOAuthError(body: String, title: String) async throws {
        let server = try LoopbackServer { _ in .answer(status: 400, body: body) }
        let refusal = RelyingPartyRefusal(code: .unavailable, status: 400, title: title)
        await #expect(throws: RelyingPartyError.refused(refusal)) {
            try await party(server).tokens(.refresh(RefreshToken(unchecked: "r")), proof: "p")
        }
    }

    @Test("A redirect is not followed, and its target receives nothing", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        let other = try LoopbackServer { _ in .answer(status: 200, body: "{\"devices\":[]}") }
        let location = "Location: \(other.url)/v1/devices"
        let server = try LoopbackServer { _ in .answer(status: status, headers: [location], body: "") }
        let authorization = Authorization(accessToken: AccessToken(unchecked: "token"), proof: "proof")
        await #expect(throws: RelyingPartyError.unintelligible(status: status)) {
            try await party(server).devices(authorization)
        }
        await #expect(throws: RelyingPartyError.unintelligible(status: status)) {
            try await party(server).beginLogin(login)
        }
        #expect(other.requests.isEmpty)
    }

    @Test(
        "Cancellation is reported as such, before the request and while waiting for its answer",
        arguments: [true, false])
    func cancelled(isWaiting: Bool) async throws {
        let arrived = AsyncStream<Void>.makeStream()
        let server = try LoopbackServer { _ in
            arrived.continuation.yield()
            return .silence
        }
        let party = try party(server)
        let login = login
        let task = Task {
            while !isWaiting && !Task.isCancelled { await Task.yield() }
            return try await party.beginLogin(login)
        }
        if isWaiting { for await _ in arrived.stream { break } }
        task.cancel()
        await #expect(throws: RelyingPartyError.cancelled) { try await task.value }
    }

    @Test("Cookies are not kept and answers are not cached")
    func stateless() async throws {
        let server = try LoopbackServer { _ in
            .answer(
                status: 200, headers: ["Set-Cookie: a=b; Path=/", "Cache-Control: max-age=1000"],
                body: "{\"devices\":[]}")
        }
        let party = try party(server)
        let authorization = Authorization(accessToken: AccessToken(unchecked: "token"), proof: "proof")
        for _ in 0..<2 { _ = try await party.devices(authorization) }
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.headers["cookie"] == nil })
    }

    private func party(_ server: LoopbackServer) throws -> HTTPRelyingParty {
        HTTPRelyingParty(issuer: try #require(Issuer(rawValue: server.url)))
    }

    private func expectUnreachable(_ party: HTTPRelyingParty) async {
        do {
            _ = try await party.beginLogin(login)
            Issue.record("there was an answer")
        } catch {
            guard case .unreachable = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}
