import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Limits on requests to OpenID Connect at PingAM's paths")
struct OpenIDLimitTests {
    private static let realm = "/am/oauth2/realms/root/realms/root"
    private static let requests: [(HTTPRequest.Method, String)] = [
        (.get, "/authorize?client_id=public&response_type=code"), (.post, "/authorize"), (.post, "/access_token"),
        (.get, "/userinfo"), (.post, "/userinfo"), (.post, "/token/revoke"), (.post, "/introspect"), (.post, "/par"),
        (.post, "/bc-authorize"), (.get, "/connect/endSession"), (.post, "/connect/endSession"),
    ]
    private static let others: [(HTTPRequest.Method, String)] = [
        (.get, "/.well-known/openid-configuration"), (.get, "/unknown"), (.delete, "/access_token"),
    ]

    /// The answer is an error with the members of the standard alone, and no redirect.
    private func expectLimited(_ response: TestResponse, _ status: HTTPResponse.Status, _ path: String) throws {
        #expect(response.status == status, "\(path)")
        #expect(try response.json().object?.members.map(\.name) == ["error", "error_description"], "\(path)")
        #expect(try response.oauthError == "temporarily_unavailable", "\(path)")
        #expect(response.headers[.contentType]?.hasPrefix("application/json") == true)
        #expect(response.headers[.location] == nil)
        #expect(response.headers[.retryAfter].flatMap(Int.init).map { $0 > 0 } == true)
    }

    @Test("A request beyond the limit of its address gets 429 and an error of OAuth, whatever it asks for")
    func addressLimit() async throws {
        let change: @Sendable (inout RelyingPartyConfiguration) -> Void = {
            $0.limits.perAddress = RateLimit(count: 1, period: .seconds(100_000), burst: 1)
            $0.limits.answerDelay = .zero
        }
        try await OpenIDParty.with(setup: .live, change: change) { party in
            let session = [OpenIDParty.cookie: party.session]
            #expect(try await party.caller.call(.get, Self.realm + "/unknown").status == .notFound)
            for (method, path) in Self.requests + Self.others {
                let response = try await party.caller.call(method, Self.realm + path, headers: session)
                try expectLimited(response, .tooManyRequests, path)
            }
            for realm in ["/oauth2", "/am/oauth2/root", "/oauth2/realms/root"] {
                let response = try await party.caller.call(.get, realm + "/authorize", headers: session)
                try expectLimited(response, .tooManyRequests, realm)
            }
        }
    }

    @Test("A request beyond the limit on concurrent requests gets 503 and an error of OAuth")
    func concurrencyLimit() async throws {
        let change: @Sendable (inout RelyingPartyConfiguration) -> Void = { $0.limits.concurrentRequests = 0 }
        try await OpenIDParty.with(change: change) { party in
            for (method, path) in Self.requests {
                let response = try await party.caller.call(method, Self.realm + path)
                try expectLimited(response, .serviceUnavailable, path)
            }
        }
    }

    @Test("A fourth request of backends for one user gets 429 and an error of OAuth")
    func backendLimit() async throws {
        try await OpenIDParty.with { party in
            let fields = ["scope": "openid", "login_hint": "alice"]
            func ask() async throws -> TestResponse {
                try await party.post(
                    fields, to: Self.realm + "/bc-authorize",
                    headers: OpenIDParty.basic("server", OpenIDParty.secret))
            }
            for _ in 0..<3 { #expect(try await ask().status == .ok) }
            try expectLimited(await ask(), .tooManyRequests, "/bc-authorize")
        }
    }
}
