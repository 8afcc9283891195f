import Foundation
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The JSON of an app")
struct AppDecodingTests {
    static let hash = String(repeating: "A", count: 43)

    private func decode(_ members: String) throws(MessageFault) -> App {
        try StrictJSON.read(App.self, from: Array(#"{"client_id":"web","client_name":"Web",\#(members)}"#.utf8))
    }

    @Test("Every member is read back as it was written, for every way to authenticate")
    func roundTrip() throws {
        let keys = try JWKSet(keys: [TestKey.newEC().jwk, TestKey.newEC().jwk])
        for authentication in [AppAuthentication.none, .secret(Fixture.hash()), .privateKey(keys)] {
            for var app in [try TestApp.new("web"), try TestApp.full("web")] {
                app.authentication = authentication
                let bytes = StrictJSON.bytes(of: app)
                #expect(try StrictJSON.decode(App.self, from: bytes) == app)
                #expect(try JSONDecoder().decode(App.self, from: JSONEncoder().encode(app)) == app)
            }
        }
    }

    @Test("An app with only an id and a name is public, gets bearer tokens and the scopes of OpenID Connect")
    func defaults() throws {
        let app = try StrictJSON.decode(App.self, from: Array(#"{"client_id":"web","client_name":"Web"}"#.utf8))
        #expect(app == App(id: app.id, name: app.name))
        #expect(app.authentication == .none && app.redirectURIs.isEmpty && app.tokenKind == .bearer)
        #expect(!app.bindsDevices && app.devicePolicy == nil)
        #expect(
            app.scopes.map(\.rawValue).joined(separator: " ") == "openid profile email phone offline_access")
        #expect(app.accessTokenLife == .seconds(300) && app.refreshTokenLife == .seconds(2_592_000))
    }

    @Test(
        "A value at its limit is accepted",
        arguments: [
            #""access_token_seconds":30"#, #""access_token_seconds":3600"#, #""refresh_token_seconds":0"#,
            #""refresh_token_seconds":60"#, #""refresh_token_seconds":31536000"#, #""device_policy":"one""#,
            #""device_policy":null"#, #""scope":"""#, #""scope":"a b""#, #""redirect_uris":[]"#, #""unknown":[1]"#,
            #""token_endpoint_auth_method":"client_secret_basic","client_secret_hash":"\#(hash)""#,
        ])
    func good(members: String) throws {
        _ = try decode(members)
    }

    @Test(
        "A value that is not allowed is refused, and the refusal names the member or the rule",
        arguments: [
            (#""client_id":"a b""#, "The message has the member client_id more than once."),
            (#""redirect_uris":["https://a.example","javascript:x"]"#, "redirect_uris[1] must be a string: "),
            (#""redirect_uris":"https://a.example""#, "redirect_uris must be an array."),
            (#""post_logout_redirect_uris":["http://a.example"]"#, "post_logout_redirect_uris[0] must be a string: "),
            (
                #""redirect_uris":["https://a.example","https://a.example"]"#,
                "The message must not list an address twice."
            ),
            (#""scope":"openid openid""#, "The message must not repeat a word in scope."),
            (#""scope":"a\tb""#, "scope must be words, each of 1 to 64 "), (#""scope":"é""#, "scope must be words"),
            (#""scope":["openid"]"#, "scope must be a string."),
            (#""access_token_seconds":29"#, "The message must have access_token_seconds from 30 to 3600."),
            (#""access_token_seconds":3601"#, "The message must have access_token_seconds from 30 to 3600."),
            (#""access_token_seconds":60.5"#, "access_token_seconds must be a whole number."),
            (#""access_token_seconds":"60""#, "access_token_seconds must be a whole number."),
            (#""access_token_seconds":9223372036854775807"#, "The message must have access_token_seconds"),
            (
                #""refresh_token_seconds":59"#,
                "The message must have refresh_token_seconds of 0, or from 60 to 31536000."
            ),
            (#""refresh_token_seconds":-1"#, "The message must have refresh_token_seconds of 0"),
            (#""device_policy":"few""#, "device_policy must be many or one."),
            (#""dpop_bound_access_tokens":1"#, "dpop_bound_access_tokens must be true or false."),
            (#""binds_devices":"true""#, "binds_devices must be true or false."),
            (#""token_endpoint_auth_method":"client_secret_post""#, "token_endpoint_auth_method "),
            (#""token_endpoint_auth_method":"client_secret_basic""#, "client_secret_hash is missing."),
            (
                #""token_endpoint_auth_method":"client_secret_basic","client_secret_hash":"AAAA""#,
                "client_secret_hash must be 32 bytes in base64url."
            ),
            (#""token_endpoint_auth_method":"private_key_jwt""#, "jwks is missing."),
            (
                #""token_endpoint_auth_method":"private_key_jwt","jwks":{"keys":[]}"#,
                "The message must have 1 to 16 keys in jwks."
            ),
            (#""token_endpoint_auth_method":"private_key_jwt","jwks":{"keys":[{"kty":"oct"}]}"#, "jwks.keys[0] "),
        ])
    func bad(members: String, answer: String) throws {
        let fault = #expect(throws: MessageFault.self) { try decode(members) }
        #expect(fault?.description.hasPrefix(answer) == true, "\(fault?.description ?? "")")
    }

    @Test("A private key in the set is refused, and the other keys of the set do not hide it")
    func privateKey() throws {
        let good = String(decoding: StrictJSON.encode(try TestKey.newEC().jwk), as: UTF8.self)
        let bad = good.replacing("{", with: #"{"d":"AAAA","#)
        let fault = #expect(throws: MessageFault.self) {
            try decode(#""token_endpoint_auth_method":"private_key_jwt","jwks":{"keys":[\#(good),\#(bad)]}"#)
        }
        #expect(fault?.member == "jwks.keys[1]")
    }

    @Test("The largest app fits a message; one address, scope or key more is refused")
    func sizes() throws {
        var app = try TestApp.full("web")
        // 16 addresses of 2,000 bytes each are 32,000 bytes.
        app.redirectURIs = try (0..<16).map { number in
            try TestApp.uri("https://app.example/\(number + 10)".padding(toLength: 2000, withPad: "a", startingAt: 0))
        }
        app.logoutURIs = try [TestApp.uri("https://app.example/".padding(toLength: 768, withPad: "a", startingAt: 0))]
        app.scopes = try (0..<32).map { number in
            try #require(AppScope(rawValue: "\(number + 10)".padding(toLength: 64, withPad: "/", startingAt: 0)))
        }
        app.authentication = .privateKey(try JWKSet(keys: (0..<16).map { _ in try TestKey.newEC().jwk }))
        #expect(app.problem == nil)
        #expect(StrictJSON.bytes(of: app).count < JSONLimits.message.byteCount)
        #expect(try StrictJSON.decode(App.self, from: StrictJSON.bytes(of: app)) == app)

        var longer = app
        longer.logoutURIs.append(try TestApp.uri("app:/"))
        #expect(longer.problem == "must have at most 32768 bytes of addresses")
        var more = app
        more.scopes.append(.openID)
        #expect(more.problem == "must have at most 32 redirect URIs, logout URIs and scopes each")
        more = app
        more.redirectURIs = try (0..<33).map { try TestApp.uri("app:/\($0)") }
        #expect(more.problem == "must have at most 32 redirect URIs, logout URIs and scopes each")
        more = app
        more.authentication = .privateKey(try JWKSet(keys: (0..<17).map { _ in try TestKey.newEC().jwk }))
        #expect(more.problem == "must have 1 to 16 keys in jwks")
        more = app
        more.accessTokenLife = .milliseconds(60_500)
        #expect(more.problem != nil)
    }
}
