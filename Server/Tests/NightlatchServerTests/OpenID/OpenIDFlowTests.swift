import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchTokenVerification
import NightlatchWire
import Testing

@Suite("An app signs its user in with OpenID Connect")
struct OpenIDFlowTests {
    @Test(
        "A code gives an access token, a refresh token and an ID token, and the user's id at the userinfo endpoint",
        arguments: StoreKind.allCases)
    func wholeFlow(kind: StoreKind) async throws {
        try await OpenIDParty.with(kind) { party in
            let answer = try party.answered(
                try await party.authorize(OpenIDParty.request(), session: party.session))
            #expect(answer["state"] == "a state" && answer["iss"] == party.caller.issuer.rawValue)
            #expect(Set(answer.keys) == ["code", "state", "iss"])
            let response = try await party.token(OpenIDParty.exchange(try #require(answer["code"])))
            #expect(response.status == .ok && response.headers[.cacheControl] == "no-store")
            let tokens = try response.json()
            #expect(try tokens.text("token_type") == "Bearer" && tokens.text("scope") == "openid profile")
            #expect(tokens["expires_in"] == .integer(300))
            let claims = try await party.claims(of: tokens.text("id_token"), type: "JWT")
            #expect(try claims.text("nonce") == "n-1" && claims.text("aud") == "public")
            #expect(try claims.text("sub") == "alice" && claims.text("acr") == "login")
            #expect(claims["auth_time"] == .integer(TestTime.current.secondsSince1970))
            let accessToken = try tokens.text("access_token")
            _ = try await party.claims(of: accessToken, type: "at+jwt")
            let user = try await party.userInformation(accessToken)
            #expect(try user.status == .ok && user.json().text("sub") == "alice")
        }
    }

    @Test(
        "A form at the authorization endpoint gives a code to the session in its header, as a query does",
        arguments: ["/oauth/authorize", "/am/oauth2/realms/root/authorize"])
    func authorizationByForm(path: String) async throws {
        try await OpenIDParty.with { party in
            func send(_ session: String?, _ method: HTTPRequest.Method) async throws -> [String: String] {
                let headers = session.map { [OpenIDParty.cookie: $0] } ?? [:]
                return try party.answered(
                    await party.send(OpenIDParty.request(), to: path, by: method, headers: headers))
            }
            var codes: Set<String> = []
            for method in [HTTPRequest.Method.get, .post] {
                let answer = try await send(party.session, method)
                #expect(Set(answer.keys) == ["code", "state", "iss"] && answer["state"] == "a state")
                let code = try #require(answer["code"])
                codes.insert(code)
                #expect(try await party.token(OpenIDParty.exchange(code)).status == .ok)
                #expect(try await send(nil, method)["error"] == "login_required")
            }
            #expect(codes.count == 2)
        }
    }

    @Test(
        "The user information endpoint answers a form as it answers a query",
        arguments: ["/oauth/userinfo", "/am/oauth2/realms/root/userinfo"])
    func userInformationByForm(path: String) async throws {
        try await OpenIDParty.with { party in
            let token = try await party.tokens().text("access_token")
            for (headers, status) in [
                (["Authorization": "Bearer " + token], .ok), ([:], .unauthorized),
                (["Authorization": "Bearer " + token + "A"], .unauthorized),
            ] as [([String: String], HTTPResponse.Status)] {
                let asked = try await party.caller.call(.get, path, headers: headers)
                let form = headers.merging(["Content-Type": "application/x-www-form-urlencoded"]) { own, _ in own }
                let sent = try await party.caller.call(.post, path, headers: form, body: "")
                #expect(asked.status == status && sent.status == status && sent.text == asked.text)
                #expect(sent.headers[.wwwAuthenticate] == asked.headers[.wwwAuthenticate])
                if status == .ok { #expect(try sent.json().text("sub") == "alice") }
            }
        }
    }

    @Test("A refresh gives all tokens again, and the lost answer of a refresh can be asked for again")
    func refreshing() async throws {
        try await OpenIDParty.with { party in
            let first = try await party.tokens()
            let second = try await party.refresh(first.text("refresh_token")).json()
            let again = try await party.refresh(first.text("refresh_token")).json()
            #expect(try second.text("refresh_token") == again.text("refresh_token"))
            #expect(try second.text("access_token") != again.text("access_token"))
            _ = try (second.text("id_token"), second.text("scope"))
            #expect(try await party.refresh(second.text("refresh_token")).status == .ok)
            let reused = try await party.refresh(first.text("refresh_token"))
            #expect(try reused.status == .badRequest && reused.oauthError == "invalid_grant")
            #expect(try await party.userInformation(second.text("access_token")).status == .unauthorized)
        }
    }

    @Test("An app whose record has no refresh tokens gets none, and its access token works")
    func noRefreshToken() async throws {
        try await OpenIDParty.with { party in
            let tokens = try await party.tokens("brief")
            #expect(tokens["refresh_token"] == nil)
            #expect(try await party.userInformation(tokens.text("access_token")).status == .ok)
        }
    }

    @Test("An app with a secret authenticates by HTTP Basic, and needs no PKCE")
    func confidentialApp() async throws {
        try await OpenIDParty.with { party in
            let noChallenge: [String: String?] = ["code_challenge": nil, "code_challenge_method": nil]
            let right = OpenIDParty.basic("server", OpenIDParty.secret)
            func exchange(_ headers: [String: String], _ client: String?) async throws -> TestResponse {
                let code = try await party.code("server", noChallenge)
                return try await party.token(
                    OpenIDParty.exchange(code, client, ["code_verifier": nil]), headers: headers)
            }
            #expect(try await exchange(right, nil).status == .ok)
            for (headers, client) in [
                (OpenIDParty.basic("server", "wrong"), nil), ([:], "server"), (right, "public"),
                (OpenIDParty.basic("server", ""), nil), (["Authorization": "Basic ?"], nil),
            ] as [([String: String], String?)] {
                let refused = try await exchange(headers, client)
                #expect(try refused.status == .unauthorized && refused.oauthError == "invalid_client")
                #expect(refused.headers[.wwwAuthenticate]?.hasPrefix("Basic") == true)
            }
        }
    }

    @Test("An app with a key authenticates by an assertion, each of which serves once")
    func assertion() async throws {
        try await OpenIDParty.with { party in
            let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
            func exchange(_ assertion: String, type: String = type) async throws -> TestResponse {
                var fields = OpenIDParty.exchange(try await party.code("keyed"), nil)
                fields["client_assertion"] = assertion
                fields["client_assertion_type"] = type
                return try await party.token(fields)
            }
            let issuer = party.caller.issuer.rawValue
            let good = try Assertion(audience: .string(issuer)).text()
            #expect(try await exchange(good).status == .ok)
            #expect(try await exchange(good).oauthError == "invalid_client")
            #expect(
                try await exchange(
                    Assertion(audience: .array([.string("x"), .string(issuer + "/oauth/token")])).text()
                )
                .status == .ok)
            // The clock of an app with an hour's assertions may be ahead, and its times may have fractions.
            let ahead = Assertion(audience: .string(issuer), life: .seconds(3630))
            #expect(try await exchange(ahead.text()).status == .ok)
            let otherType = try Assertion(audience: .string(issuer)).text()
            #expect(try await exchange(otherType, type: "saml2-bearer").oauthError == "invalid_client")
            for bad in [
                Assertion(audience: .string("https://other.example")),
                Assertion(audience: .string(issuer), key: .newEC()),
                Assertion(audience: .string(issuer), life: .seconds(-1)),
                Assertion(audience: .string(issuer), life: .seconds(3700)),
                Assertion(audience: .string(issuer), issuer: "public"), Assertion(audience: .string(issuer), id: ""),
                Assertion(audience: .string(issuer + ".evil.example")), Assertion(audience: .string(issuer + "/other")),
                Assertion(audience: .string(issuer), header: [.init("crit", .array([.string("exp")]))]),
                Assertion(audience: .string(issuer), claims: [.init("nbf", .integer(4_000_000_000))]),
                Assertion(audience: .string(issuer), algorithm: "none"),
                Assertion(audience: .string(issuer), algorithm: "HS256"),
            ] {
                #expect(try await exchange(bad.text()).oauthError == "invalid_client")
            }
        }
    }

    @Test("A pushed request is used in place of the parameters, by its own app and for a minute")
    func pushed() async throws {
        try await OpenIDParty.with { party in
            let response = try await party.post(OpenIDParty.request(), to: "/oauth/par")
            #expect(response.status == .created)
            let uri = try response.json().text("request_uri")
            func authorize(_ client: String, _ uri: String) async throws -> TestResponse {
                try await party.authorize(["client_id": client, "request_uri": uri], session: party.session)
            }
            #expect(try party.answered(await authorize("public", uri))["code"] != nil)
            #expect(try await authorize("other", uri).status == .badRequest)
            #expect(try await authorize("public", uri + "A").status == .badRequest)
            try await TestTime.after(.seconds(61)) {
                let late = try await authorize("public", uri)
                #expect(late.status == .badRequest)
            }
            let device = TestDevice()
            func proof() throws -> [String: String] {
                [
                    "DPoP": try device.proofDraft(
                        method: "POST", url: party.caller.issuer.rawValue + "/oauth/par",
                        nonce: party.caller.nonces.nonce(at: TestTime.current)
                    ).text()
                ]
            }
            let bound = try await party.post(OpenIDParty.request(), to: "/oauth/par", headers: proof()).json()
            let code = try #require(
                try party.answered(await authorize("public", bound.text("request_uri")))["code"])
            #expect(try await party.token(OpenIDParty.exchange(code)).oauthError == "invalid_grant")
            let own = ["DPoP": try party.caller.proof(by: device)]
            #expect(try await party.token(OpenIDParty.exchange(code), headers: own).status == .ok)
            let other = OpenIDParty.request("public", ["dpop_jkt": KeyID.random().rawValue])
            #expect(try await party.post(other, to: "/oauth/par", headers: proof()).status == .badRequest)
            let refused = try await party.post(OpenIDParty.request("public", ["scope": "none"]), to: "/oauth/par")
            #expect(try refused.status == .badRequest && refused.oauthError == "invalid_scope")
        }
    }

    @Test("Revoking an access token leaves its refresh token valid; revoking the refresh token ends both")
    func revoking() async throws {
        try await OpenIDParty.with { party in
            func revoke(_ token: String, client: String = "public") async throws {
                let response = try await party.post(["token": token, "client_id": client], to: "/oauth/revoke")
                #expect(response.status == .ok)
            }
            let tokens = try await party.tokens()
            let (access, refresh) = (try tokens.text("access_token"), try tokens.text("refresh_token"))
            for foreign in [access, refresh] { try await revoke(foreign, client: "other") }
            #expect(try await party.userInformation(access).status == .ok)
            try await revoke(access)
            #expect(try await party.userInformation(access).oauthError == "invalid_token")
            let next = try await party.refresh(refresh).json()
            #expect(try await party.userInformation(next.text("access_token")).status == .ok)
            try await revoke(next.text("refresh_token"))
            try await revoke("not a token")
            #expect(try await party.userInformation(next.text("access_token")).status == .unauthorized)
            #expect(try await party.refresh(next.text("refresh_token")).oauthError == "invalid_grant")
        }
    }

    @Test("The session of a named journey is enough, and names that are no journeys are ignored")
    func contextClasses() async throws {
        try await OpenIDParty.with { party in
            for values in ["login", "sign login", "urn:example:gold"] {
                let fields = OpenIDParty.request("public", ["acr_values": values])
                let answer = try party.answered(await party.authorize(fields, session: party.session))
                #expect(answer["code"] != nil)
            }
        }
    }

    @Test("An app that asked for no openid gets no ID token, and no claims of its user")
    func withoutOpenID() async throws {
        try await OpenIDParty.with { party in
            let tokens = try await party.tokens("public", ["scope": "profile"])
            #expect(tokens["id_token"] == nil)
            let refused = try await party.userInformation(tokens.text("access_token"))
            #expect(try refused.status == .forbidden && refused.oauthError == "insufficient_scope")
        }
    }

    @Test("A refresh token that an app did not get is refused as invalid_grant, with each kind of credentials")
    func foreignText() async throws {
        try await OpenIDParty.with { party in
            let fields = ["grant_type": "refresh_token", "refresh_token": "unknown"]
            let basic = OpenIDParty.basic("server", OpenIDParty.secret)
            #expect(try await party.token(fields, headers: basic).oauthError == "invalid_grant")
            let named = fields.merging(["client_id": "public"]) { $1 }
            #expect(try await party.token(named).oauthError == "invalid_grant")
            let unknown = try await party.token(fields, headers: OpenIDParty.basic("nobody", "x"))
            #expect(try unknown.status == .unauthorized && unknown.oauthError == "invalid_client")
        }
    }

    @Test("A device that names its app revokes its own login, with its proof")
    func deviceNamesItsApp() async throws {
        try await OpenIDParty.with { party in
            let (alice, device, caller) = (try Fixture.alice(), TestDevice(), party.caller)
            let id = try await caller.bind(device, to: alice)
            let grant = try await caller.logIn(device, id: id, user: alice).message(TokenGrant.self)
            let response = try await party.post(
                ["token": grant.refreshToken.rawValue, "client_id": "nightlatch"], to: "/oauth/revoke",
                headers: ["DPoP": try caller.proof(by: device, for: .revokeToken)])
            #expect(response.status == .ok)
            #expect(try await caller.refresh(grant.refreshToken, by: device).status == .badRequest)
        }
    }

    @Test("An app with a secret introspects tokens; an app without one may not")
    func introspection() async throws {
        try await OpenIDParty.with { party in
            let token = try await party.tokens().text("access_token")
            let right = OpenIDParty.basic("server", OpenIDParty.secret)
            func inspect(_ token: String) async throws -> JSONValue {
                try await party.post(["token": token], to: "/oauth/introspect", headers: right).json()
            }
            let state = try await inspect(token)
            #expect(try state["active"] == .bool(true) && state.text("client_id") == "public")
            #expect(try await inspect("nothing")["active"] == .bool(false))
            let refresh = try await party.tokens().text("refresh_token")
            // Only its own app and the backend learn about a refresh token.
            #expect(try await inspect(refresh)["active"] == .bool(false))
            func backend() async throws -> JSONValue { try await party.caller.introspect(refresh).json() }
            #expect(try await backend()["active"] == .bool(true))
            let next = try await party.refresh(refresh).json().text("refresh_token")
            _ = try await party.refresh(next)
            #expect(try await backend()["active"] == .bool(false))
            try await TestTime.after(.seconds(301)) {
                let late = try await inspect(token)
                #expect(late["active"] == .bool(false))
            }
            let refused = try await party.post(["token": token, "client_id": "public"], to: "/oauth/introspect")
            #expect(refused.status == .unauthorized)
        }
    }

    @Test(
        "The end of a session ends the session that the ID token names, redirects only to a registered address",
        arguments: [HTTPRequest.Method.get, .post])
    func endOfSession(method: HTTPRequest.Method) async throws {
        try await OpenIDParty.with { party in
            let newer = try await OpenIDParty.newSession(in: party.store)
            let redirect = "http://127.0.0.1:5/callback"
            let code = try await party.code("desktop", ["redirect_uri": redirect])
            let tokens = try await party.token(
                OpenIDParty.exchange(code, "desktop", ["redirect_uri": redirect])
            ).json()
            let hint = try tokens.text("id_token")
            func end(_ more: [String: String]) async throws -> TestResponse {
                let fields = more.merging(["id_token_hint": hint]) { own, _ in own }
                return try await party.send(
                    fields, to: "/oauth/end-session", by: method,
                    headers: ["Cookie": OpenIDParty.cookie + "=" + newer])
            }
            let refused = try await end(["post_logout_redirect_uri": "https://evil.example/bye"])
            #expect(refused.status == .badRequest && refused.headers[.location] == nil)
            #expect(try await end(["id_token_hint": tokens.text("access_token")]).status == .badRequest)
            #expect(try await end(["client_id": "public"]).status == .badRequest)
            #expect(try await party.userInformation(tokens.text("access_token")).status == .ok)
            let ended = try await end(["post_logout_redirect_uri": "https://app.example/bye", "state": "s t"])
            #expect(ended.status == .found && ended.headers[.location] == "https://app.example/bye?state=s%20t")
            #expect(ended.headers[values: .setCookie].isEmpty)
            #expect(try await end([:]).status == .noContent)
            #expect(try await party.userInformation(tokens.text("access_token")).status == .unauthorized)
            let alive = try party.answered(await party.authorize(OpenIDParty.request(), session: newer))
            #expect(alive["code"] != nil)
        }
    }

    @Test(
        "Discovery names this server's endpoints, each of which is served", arguments: ["", "/am/oauth2/realms/root"])
    func discovery(path: String) async throws {
        try await OpenIDParty.with { party in
            let response = try await party.caller.call(.get, path + "/.well-known/openid-configuration")
            #expect(response.status == .ok)
            let document = try response.json()
            #expect(try document.text("issuer") == party.caller.issuer.rawValue)
            for name in [
                "authorization_endpoint", "token_endpoint", "userinfo_endpoint", "revocation_endpoint",
                "introspection_endpoint", "end_session_endpoint", "pushed_authorization_request_endpoint", "jwks_uri",
            ] {
                let address = try document.text(name)
                let local = try #require(address.split(separator: party.caller.issuer.rawValue).first)
                #expect(try await party.caller.call(.delete, String(local)).status == .methodNotAllowed)
            }
        }
    }
}

/// An assertion with which an app authenticates.
private struct Assertion {
    let audience: JSONValue
    var key = OpenIDParty.appKey
    var life: Duration = .seconds(60)
    var issuer = "keyed"
    var id = Challenge.random().rawValue
    var algorithm = "ES256"
    var header: [JSONObject.Member] = []
    var claims: [JSONObject.Member] = []

    func text() throws -> String {
        let header = [.init("alg", .string(algorithm)), .init("typ", .string("JWT"))] + header
        let claims: [JSONObject.Member] =
            claims + [
                .init("iss", .string(issuer)), .init("sub", .string("keyed")), .init("aud", audience),
                .init("exp", .integer((TestTime.current + life).secondsSince1970)), .init("jti", .string(id)),
            ]
        let input = [header, claims].map { Base64URL.encode(JSONValue.object($0).bytes) }.joined(separator: ".")
        return input + "." + Base64URL.encode(try key.sign(Data(input.utf8), algorithm: "ES256"))
    }
}

extension OpenIDParty {
    /// The claims of a token, after its signature was verified with the published keys.
    func claims(of token: String, type: String) async throws -> JSONValue {
        let keys = try StrictJSON.decode(
            JWKSet.self, from: Data(try await caller.call(.get, Route.jwks.path).text.utf8))
        let parts = token.split(separator: ".")
        let header = try StrictJSON.decode(JSONValue.self, from: #require(Base64URL.decode(parts[0])))
        #expect(try header.text("typ") == type && header.text("alg") == "ES256")
        let key = try #require(try keys.keys.first { try $0.key.thumbprint.rawValue == header.text("kid") }).key
        #expect(
            key.isSignature(
                try #require(Base64URL.decode(parts[2])), of: Array(parts[0...1].joined(separator: ".").utf8),
                by: .es256))
        return try StrictJSON.decode(JSONValue.self, from: #require(Base64URL.decode(parts[1])))
    }
}
