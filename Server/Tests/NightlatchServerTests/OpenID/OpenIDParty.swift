import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchTokenVerification
import NightlatchWire
import Testing

/// A relying party with registered apps and a session of Alice, and an app that calls it.
struct OpenIDParty: Sendable {
    static let cookie = "iPlanetDirectoryPro"
    static let redirect = "com.example.app:/callback"
    static let webRedirect = "https://app.example/callback"
    static let verifier = "an-unguessable-verifier-of-forty-three-bytes"
    static let secret = "a-secret-of-the-server"

    let caller: TestCaller
    let store: any RelyingPartyStore
    let session: String

    /// The registered apps by id.
    private static func apps() throws -> [App] {
        func app(_ id: String, _ change: (inout App) throws -> Void = { _ in }) throws -> App {
            var app = App(
                id: try #require(ClientID(rawValue: id)), name: try #require(AppName(rawValue: "Example")),
                redirectURIs: [try #require(RedirectURI(rawValue: redirect))])
            try change(&app)
            return app
        }
        return [
            try app("public"), try app("other"), try app("bound") { $0.tokenKind = .dpop },
            try app("server") { $0.authentication = .secret(AppSecretHash(of: secret)) },
            try app("keyed") { $0.authentication = .privateKey(JWKSet(keys: [try Self.appKey.jwk])) },
            try app("brief") { $0.refreshTokenLife = nil },
            try app("web") {
                $0.redirectURIs = [try #require(RedirectURI(rawValue: webRedirect))]
                $0.logoutURIs = [try #require(RedirectURI(rawValue: "https://app.example/bye"))]
            },
            try app("desktop") {
                $0.redirectURIs = [try #require(RedirectURI(rawValue: "http://127.0.0.1/callback"))]
                $0.logoutURIs = [try #require(RedirectURI(rawValue: "https://app.example/bye"))]
            },
        ]
    }

    /// The key of the app that authenticates with assertions.
    static let appKey = TestKey.newEC()

    /// Runs `body` against a relying party over `kind`.
    ///
    /// - Parameters:
    ///   - kind: The store.
    ///   - setup: Whether requests go over a socket.
    ///   - hasLoginPage: Whether the relying party serves the login page.
    ///   - change: Changes the configuration, which has journeys.
    ///   - body: The test.
    static func with(
        _ kind: StoreKind = .memory,
        setup: TestingSetup = .router,
        hasLoginPage: Bool = true,
        adminKey: AdminKey? = nil,
        change: @Sendable (inout RelyingPartyConfiguration) throws -> Void = { _ in },
        _ body: @escaping @Sendable (OpenIDParty) async throws -> Void
    ) async throws {
        try await kind.with { store in
            // The type of the store is not known here.
            func run(_ store: some RelyingPartyStore) async throws {
                try await with(over: store, setup: setup, hasLoginPage: hasLoginPage, adminKey: adminKey, change: change, body)
            }
            try await run(store)
        }
    }

    /// Runs `body` against a relying party over an empty store.
    static func with(
        over store: some RelyingPartyStore,
        setup: TestingSetup = .router,
        hasLoginPage: Bool = true,
        adminKey: AdminKey? = nil,
        change: @Sendable (inout RelyingPartyConfiguration) throws -> Void = { _ in },
        _ body: @escaping @Sendable (OpenIDParty) async throws -> Void
    ) async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.journeys = try JourneyConfiguration(
            Data(#"{"contextPath": "/am", "applicationIds": ["com.example.app"]}"#.utf8))
        try change(&configuration)
        for app in try apps() { _ = try await store.putApp(app, replacing: nil, by: .operator) }
        let session = try await newSession(in: store)
        try await TestRelyingParty.with(
            store, setup: setup, adminKey: adminKey, hasLoginPage: hasLoginPage, configuration: configuration
        ) { caller in
            try await body(OpenIDParty(caller: caller, store: store, session: session))
        }
    }

    /// Begins a session of Alice and returns its token.
    static func newSession(journey: String = "login", in store: any RelyingPartyStore) async throws -> String {
        let alice = try Fixture.alice()
        _ = try await store.newCode(for: alice)
        let token = Challenge.random().rawValue
        let session = NewJourneySession(
            token: JourneySessionHash(SHA256.hash(data: Data(token.utf8))), user: alice, journey: journey, key: nil,
            life: TestJourneys.life)
        #expect(try await store.recordJourneyStep(JourneyStep(use: TestJourneys.use(), session: session)) == .recorded)
        return token
    }

    /// Changes the record of an app.
    func change(_ id: String, _ change: (inout App) -> Void) async throws {
        let stored = try #require(try await store.apps().first { $0.app.id.rawValue == id })
        var app = stored.app
        change(&app)
        _ = try await store.putApp(app, replacing: stored.revision, by: .operator)
    }

    // Requests.

    /// The parameters of a good authorization request.
    static func request(_ client: String = "public", _ changes: [String: String?] = [:]) -> [String: String] {
        let hash = Data(SHA256.hash(data: Data(verifier.utf8)))
        var fields: [String: String] = [
            "client_id": client, "response_type": "code", "scope": "openid profile", "redirect_uri": redirect,
            "state": "a state", "nonce": "n-1", "code_challenge": Base64URL.encode(hash),
            "code_challenge_method": "S256",
        ]
        for (name, value) in changes { fields[name] = value }
        return fields
    }

    static func form(_ fields: [String: String]) throws -> String {
        var form = URLComponents()
        form.queryItems = fields.map { URLQueryItem(name: $0.key, value: $0.value) }
        return try #require(form.percentEncodedQuery).replacing("+", with: "%2B")
    }

    func authorize(
        _ fields: [String: String], session: String? = nil, headers: [String: String] = [:],
        path: String = "/oauth/authorize"
    ) async throws -> TestResponse {
        var headers = headers
        if let session { headers[Self.cookie] = session }
        return try await caller.call(.get, path + "?" + Self.form(fields), headers: headers)
    }

    /// The fields that an answer sends to the app.
    func answered(_ response: TestResponse) throws -> [String: String] {
        #expect(response.status == .found && response.text.isEmpty)
        let location = try #require(response.headers[.location])
        #expect(!location.contains("+"))
        let items = try #require(URLComponents(string: location)?.queryItems)
        return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
    }

    func code(_ client: String = "public", _ changes: [String: String?] = [:]) async throws -> String {
        try #require(
            try answered(await authorize(Self.request(client, changes), session: session))["code"])
    }

    func post(
        _ fields: [String: String], to path: String, headers: [String: String] = [:]
    ) async throws -> TestResponse {
        let headers = headers.merging(["Content-Type": "application/x-www-form-urlencoded"]) { own, _ in own }
        return try await caller.call(.post, path, headers: headers, body: Self.form(fields))
    }

    /// Sends the fields in the query of GET or in the form of POST.
    func send(
        _ fields: [String: String], to path: String, by method: HTTPRequest.Method, headers: [String: String] = [:]
    ) async throws -> TestResponse {
        guard method == .get else { return try await post(fields, to: path, headers: headers) }
        return try await caller.call(.get, path + "?" + Self.form(fields), headers: headers)
    }

    static func exchange(
        _ code: String, _ client: String? = "public", _ changes: [String: String?] = [:]
    ) -> [String: String] {
        var fields = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": redirect, "code_verifier": verifier,
        ]
        fields["client_id"] = client
        for (name, value) in changes { fields[name] = value }
        return fields
    }

    func token(_ fields: [String: String], headers: [String: String] = [:]) async throws -> TestResponse {
        try await post(fields, to: "/oauth/token", headers: headers)
    }

    /// The tokens of a new code of a public app.
    func tokens(_ client: String = "public", _ changes: [String: String?] = [:]) async throws -> JSONValue {
        let response = try await token(Self.exchange(code(client, changes), client))
        #expect(response.status == .ok, "\(response.text)")
        return try response.json()
    }

    func refresh(_ token: String, client: String = "public") async throws -> TestResponse {
        try await self.token(["grant_type": "refresh_token", "refresh_token": token, "client_id": client])
    }

    func userInformation(_ token: String) async throws -> TestResponse {
        try await caller.call(.get, "/oauth/userinfo", headers: ["Authorization": "Bearer " + token])
    }

    static func basic(_ id: String, _ secret: String) -> [String: String] {
        ["Authorization": "Basic " + Data("\(id):\(secret)".utf8).base64EncodedString()]
    }
}

extension TestResponse {
    func json() throws -> JSONValue { try StrictJSON.decode(JSONValue.self, from: Data(text.utf8)) }

    /// The `error` of an OAuth answer.
    var oauthError: String? {
        get throws { try json()["error"]?.string }
    }
}

extension JSONValue {
    func text(_ name: String) throws -> String { try #require(self[name]?.string, "no \(name)") }

    func texts(_ name: String) throws -> [String] { try #require(self[name]?.array, "no \(name)").compactMap(\.string) }
}
