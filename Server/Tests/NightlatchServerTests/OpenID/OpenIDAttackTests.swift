import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchTokenVerification
import NightlatchWire
import Testing

@Suite("Attacks on OpenID Connect")
struct OpenIDAttackTests {
    @Test(
        "No answer is sent to an address that the app has not registered",
        arguments: [
            "https://evil.example/callback", "com.example.app:/Callback", "com.example.app:/callback/",
            "com.example.app:/callback/../callback", "com.example.app:/callback?x=1", "com.example.app://callback",
            "com.example.app:/callback#f", "COM.example.app:/callback", "com.example.app:/%63allback",
            "javascript:alert(1)", "//evil.example", "", "com.example.app:/callback\r\nX: y",
        ])
    func openRedirect(uri: String) async throws {
        try await OpenIDParty.with { party in
            for prompt in ["none", "login"] {
                let fields = OpenIDParty.request("public", ["redirect_uri": uri, "prompt": prompt])
                let response = try await party.authorize(fields, session: party.session)
                #expect(response.status == .badRequest && response.headers[.location] == nil)
                #expect(try response.oauthError == "invalid_request")
            }
        }
    }

    @Test(
        "Only the port of a loopback IP address may differ from the registered address",
        arguments: [
            ("http://127.0.0.1:49152/callback", true), ("http://127.0.0.1/callback", true),
            ("http://127.0.0.1:49152/other", false), ("http://localhost:49152/callback", false),
            ("http://127.0.0.1.evil.example/callback", false), ("http://127.0.0.1:49152@evil.example/callback", false),
            ("https://127.0.0.1:49152/callback", false), ("http://127.0.0.1:99999/callback", false),
            ("http://[::1]:49152/callback", false),
        ])
    func loopback(uri: String, isPermitted: Bool) async throws {
        try await OpenIDParty.with { party in
            let fields = OpenIDParty.request("desktop", ["redirect_uri": uri])
            let response = try await party.authorize(fields, session: party.session)
            #expect((response.status == .found) == isPermitted, "\(response.status)")
        }
    }

    @Test("An unknown app gets no redirect, and an answer that names the error", arguments: ["nobody", "", "a b"])
    func unknownApp(client: String) async throws {
        try await OpenIDParty.with { party in
            let response = try await party.authorize(OpenIDParty.request(client), session: party.session)
            #expect(try response.status == .badRequest && response.oauthError == "invalid_client")
            #expect(response.headers[.location] == nil)
        }
    }

    @Test(
        "A wrong parameter is reported to the app with the state, and gives no code",
        arguments: [
            ("response_type", "token", "unsupported_response_type"), ("response_type", nil, "invalid_request"),
            ("scope", "nothing", "invalid_scope"), ("scope", nil, "invalid_scope"),
            ("code_challenge", nil, "invalid_request"), ("code_challenge_method", "plain", "invalid_request"),
            ("code_challenge_method", nil, "invalid_request"), ("code_challenge", "short", "invalid_request"),
            ("response_mode", "fragment", "invalid_request"), ("prompt", "none login", "invalid_request"),
            ("prompt", "login", "login_required"), ("prompt", "select_account", "login_required"),
            ("prompt", "consent select_account", "login_required"),
            ("prompt", "none select_account", "invalid_request"),
            ("max_age", "-1", "invalid_request"),
            ("max_age", "x", "invalid_request"), ("request", "e30.e30.", "request_not_supported"),
            ("dpop_jkt", "short", "invalid_request"), ("acr_values", "sign", "login_required"),
            ("nonce", String(repeating: "n", count: 513), "invalid_request"),
        ] as [(String, String?, String)])
    func wrongParameter(name: String, value: String?, error: String) async throws {
        try await OpenIDParty.with { party in
            let fields = OpenIDParty.request("public", [name: value])
            let answer = try party.answered(await party.authorize(fields, session: party.session))
            #expect(answer["error"] == error && answer["code"] == nil && answer["state"] == "a state")
            #expect(answer["error_description"]?.isEmpty == false)
            #expect(answer["iss"] == party.caller.issuer.rawValue)
        }
    }

    @Test("No session, a dead one and one that is too old give login_required")
    func sessions() async throws {
        try await OpenIDParty.with { party in
            for session in [nil, "", "x", Challenge.random().rawValue] {
                let answer = try party.answered(await party.authorize(OpenIDParty.request(), session: session))
                #expect(answer["error"] == "login_required")
            }
            let aged = OpenIDParty.request("public", ["max_age": "60"])
            #expect(try party.answered(await party.authorize(aged, session: party.session))["code"] != nil)
            try await TestTime.after(.seconds(61)) {
                let answer = try party.answered(await party.authorize(aged, session: party.session))
                #expect(answer["error"] == "login_required")
            }
        }
    }

    @Test("A page of another site cannot use the session cookie")
    func foreignPage() async throws {
        try await OpenIDParty.with { party in
            let cookie = ["Cookie": OpenIDParty.cookie + "=" + party.session]
            let own = try party.answered(await party.authorize(OpenIDParty.request(), headers: cookie))
            #expect(own["code"] != nil)
            for foreign in [["Sec-Fetch-Site": "cross-site"], ["Origin": "https://evil.example"]] {
                let headers = cookie.merging(foreign) { own, _ in own }
                let answer = try party.answered(await party.authorize(OpenIDParty.request(), headers: headers))
                #expect(answer["error"] == "login_required")
            }
        }
    }

    @Test("A code is refused with another verifier, without one, for another app and for another address")
    func codeInjection() async throws {
        try await OpenIDParty.with { party in
            let code = try await party.code()
            for wrong in [
                OpenIDParty.exchange(code, "public", ["code_verifier": String(repeating: "x", count: 43)]),
                OpenIDParty.exchange(code, "public", ["code_verifier": nil]),
                OpenIDParty.exchange(code, "public", ["redirect_uri": "com.example.app:/other"]),
                OpenIDParty.exchange(code, "public", ["redirect_uri": nil]),
                OpenIDParty.exchange(code, "other"), OpenIDParty.exchange(Challenge.random().rawValue),
            ] {
                let response = try await party.token(wrong)
                #expect(try response.status == .badRequest && response.oauthError == "invalid_grant")
            }
            #expect(try await party.token(OpenIDParty.exchange(code)).status == .ok)
        }
    }

    @Test("A verifier is refused if the authorization request had no challenge")
    func downgrade() async throws {
        try await OpenIDParty.with { party in
            let code = try await party.code(
                "server", ["code_challenge": nil, "code_challenge_method": nil])
            let headers = OpenIDParty.basic("server", OpenIDParty.secret)
            let response = try await party.token(OpenIDParty.exchange(code, nil), headers: headers)
            #expect(try response.oauthError == "invalid_grant")
        }
    }

    @Test("A code that is used twice revokes the tokens that it gave", arguments: StoreKind.allCases)
    func replay(kind: StoreKind) async throws {
        try await OpenIDParty.with(kind) { party in
            let code = try await party.code()
            let tokens = try await party.token(OpenIDParty.exchange(code)).json()
            #expect(try await party.token(OpenIDParty.exchange(code)).oauthError == "invalid_grant")
            #expect(try await party.userInformation(tokens.text("access_token")).status == .unauthorized)
            #expect(try await party.refresh(tokens.text("refresh_token")).oauthError == "invalid_grant")
        }
    }

    @Test("A refresh token serves only the app that it was issued to")
    func foreignRefreshToken() async throws {
        try await OpenIDParty.with { party in
            let token = try await party.tokens().text("refresh_token")
            #expect(try await party.refresh(token, client: "other").oauthError == "invalid_grant")
            let changed = String(token.dropLast()) + (token.last == "A" ? "B" : "A")
            #expect(try await party.refresh(changed).status == .badRequest)
            #expect(try await party.refresh(token).status == .ok)
        }
    }

    @Test(
        "An app that demands DPoP gets no tokens without a proof, and its tokens do not serve without one",
        arguments: StoreKind.allCases)
    func boundApp(kind: StoreKind) async throws {
        try await OpenIDParty.with(kind) { party in
            let (device, other) = (TestDevice(), TestDevice())
            let code = try await party.code("bound")
            let bearer = try await party.token(OpenIDParty.exchange(code, "bound"))
            #expect(try bearer.status == .badRequest && bearer.oauthError == "invalid_dpop_proof")
            let proof = ["DPoP": try party.caller.proof(by: device)]
            let tokens = try await party.token(OpenIDParty.exchange(code, "bound"), headers: proof).json()
            #expect(try tokens.text("token_type") == "DPoP")
            let token = try #require(AccessToken(rawValue: try tokens.text("access_token")))
            #expect(try await party.userInformation(token.rawValue).status == .unauthorized)
            func ask(_ device: TestDevice) async throws -> TestResponse {
                let proof = try device.proofDraft(
                    method: "GET", url: party.caller.issuer.rawValue + "/oauth/userinfo", token: token,
                    nonce: party.caller.nonces.nonce(at: TestTime.current)
                ).text()
                return try await party.caller.call(
                    .get, "/oauth/userinfo",
                    headers: ["Authorization": "DPoP " + token.rawValue, "DPoP": proof])
            }
            #expect(try await ask(device).status == .ok)
            let refused = try await ask(other)
            #expect(try refused.status == .unauthorized && refused.oauthError == "invalid_dpop_proof")
            #expect(refused.headers[.wwwAuthenticate]?.contains(#"error="invalid_dpop_proof""#) == true)
            // A bearer token does not serve as a bound one.
            let bearerToken = try #require(AccessToken(rawValue: try await party.tokens().text("access_token")))
            let asBound = try await party.caller.call(
                .get, "/oauth/userinfo", headers: ["Authorization": "DPoP " + bearerToken.rawValue])
            #expect(asBound.status == .unauthorized)
            // Nor does another app's refresh token, with or without a proof.
            let foreign = try await party.tokens().text("refresh_token")
            for headers in [[:], ["DPoP": try party.caller.proof(by: device)]] {
                let fields = ["grant_type": "refresh_token", "refresh_token": foreign, "client_id": "bound"]
                let refused = try await party.token(fields, headers: headers)
                #expect(refused.status == .badRequest)
                #expect(try refused.oauthError == (headers.isEmpty ? "invalid_dpop_proof" : "invalid_grant"))
            }
            #expect(try await party.refresh(foreign).status == .ok)
            let refresh = try tokens.text("refresh_token")
            let fields = ["grant_type": "refresh_token", "refresh_token": refresh, "client_id": "bound"]
            for headers in [[:], ["DPoP": try party.caller.proof(by: other)]] {
                #expect(try await party.token(fields, headers: headers).status == .badRequest)
            }
            #expect(try await party.token(fields, headers: ["DPoP": party.caller.proof(by: device)]).status == .ok)
        }
    }

    @Test("An app's tokens open no route for devices, and are no ID tokens")
    func confusedTokens() async throws {
        try await OpenIDParty.with { party in
            let tokens = try await party.tokens()
            let device = TestDevice()
            let token = try #require(AccessToken(rawValue: try tokens.text("access_token")))
            #expect(try await party.caller.devices(by: device, token: token).status == .unauthorized)
            #expect(try await party.userInformation(tokens.text("id_token")).status == .unauthorized)
            #expect(try await party.userInformation("a.b.c").status == .unauthorized)
            let without = try await party.caller.call(.get, "/oauth/userinfo")
            #expect(try without.status == .unauthorized && without.oauthError == "invalid_token")
            #expect(without.headers[.wwwAuthenticate]?.contains("error=") == false)
        }
    }

    @Test("A page that posts the answer escapes every value, and allows only its own script")
    func formPost() async throws {
        try await OpenIDParty.with { party in
            let state = #""><script>alert(1)</script>'&"#
            let fields = OpenIDParty.request("public", ["response_mode": "form_post", "state": state])
            let response = try await party.authorize(fields, session: party.session)
            #expect(response.status == .ok && response.headers[.contentType] == "text/html; charset=utf-8")
            let policy = try #require(response.headers[.contentSecurityPolicy])
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe-inline"))
            #expect(response.text.components(separatedBy: "<script>").count == 2)
            #expect(
                response.text.contains(
                    #"name="state" value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;""#))
        }
    }

    @Test(
        "When an app's record comes to demand DPoP, its bearer tokens are refused, and give no other tokens",
        arguments: StoreKind.allCases)
    func laterDemand(kind: StoreKind) async throws {
        try await OpenIDParty.with(kind) { party in
            let tokens = try await party.tokens()
            let access = try tokens.text("access_token")
            let fields = [
                "grant_type": "refresh_token", "refresh_token": try tokens.text("refresh_token"), "client_id": "public",
            ]
            #expect(try await party.userInformation(access).status == .ok)
            try await party.change("public") { $0.tokenKind = .dpop }
            try await TestTime.after(.seconds(6)) {
                for (headers, error) in [
                    ([:], "invalid_dpop_proof"), (["DPoP": try party.caller.proof(by: TestDevice())], "invalid_grant"),
                ] as [([String: String], String)] {
                    let response = try await party.token(fields, headers: headers)
                    #expect(try response.status == .badRequest && response.oauthError == error)
                }
                let refused = try await party.userInformation(access)
                #expect(try refused.status == .unauthorized && refused.oauthError == "invalid_token")
                for token in [access, try tokens.text("refresh_token")] {
                    #expect(try await party.caller.introspect(token).json()["active"] == .bool(false))
                }
            }
            // The grant is not lost: when the record permits bearer tokens again, it refreshes.
            try await party.change("public") { $0.tokenKind = .bearer }
            try await TestTime.after(.seconds(12)) {
                for token in [access, try tokens.text("refresh_token")] {
                    #expect(try await party.caller.introspect(token).json()["active"] == .bool(true))
                }
                let response = try await party.token(fields)
                #expect(response.status == .ok)
            }
        }
    }

    @Test("When an app's record comes to permit no refresh tokens, its refresh token is refused and not active")
    func laterWithoutRefresh() async throws {
        try await OpenIDParty.with { party in
            let token = try await party.tokens().text("refresh_token")
            #expect(try await party.caller.introspect(token).json()["active"] == .bool(true))
            try await party.change("public") { $0.refreshTokenLife = nil }
            try await TestTime.after(.seconds(6)) { () async throws in
                let refused = try await party.refresh(token)
                #expect(try refused.status == .badRequest && refused.oauthError == "invalid_grant")
                #expect(try await party.caller.introspect(token).json()["active"] == .bool(false))
            }
        }
    }

    @Test("A scope that an operator has taken away is in no new token, and a removed app's tokens are dead")
    func changedRecord() async throws {
        try await OpenIDParty.with { party in
            let tokens = try await party.tokens()
            try await party.change("public") { $0.scopes = [.openID] }
            try await TestTime.after(.seconds(6)) {
                let next = try await party.refresh(tokens.text("refresh_token")).json()
                #expect(try next.text("scope") == "openid")
            }
            #expect(try await party.store.removeApp(#require(ClientID(rawValue: "public")), by: .operator))
            try await TestTime.after(.seconds(12)) {
                let user = try await party.userInformation(tokens.text("access_token"))
                #expect(user.status == .unauthorized)
            }
        }
    }
}
