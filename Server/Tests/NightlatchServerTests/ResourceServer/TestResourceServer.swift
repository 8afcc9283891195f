import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Nightlatch
import NightlatchPlatform
import NightlatchResourceServer
import NightlatchServerTesting
import NightlatchTokenVerification
import NightlatchWire
import Testing

/// A resource server for tests with one route, which returns the caller's user.
enum TestResourceServer {
    static let address = "https://api.example"

    struct Context: AccessTokenRequestContext {
        var coreContext: CoreRequestContextStorage
        var accessToken: VerifiedAccessToken?

        init(source: ApplicationRequestContextSource) {
            coreContext = .init(source: source)
        }
    }

    /// Runs `body` against a relying party and a resource server that accepts its tokens, in process or over sockets.
    ///
    /// The keys are always fetched over a socket.
    static func with(
        _ setup: TestingSetup = .router,
        hasNonces: Bool = false,
        change: @escaping @Sendable (inout ResourceServerConfiguration) throws -> Void = { _ in },
        _ body: @escaping @Sendable (TestCaller, APICaller) async throws -> Void
    ) async throws {
        let store = MemoryStore(clock: TestTime.clock)
        try await TestRelyingParty.with(store, setup: .live) { caller in
            let port = try #require(caller.client.port)
            let source = CountedSource(
                relyingParty: HTTPRelyingParty(issuer: try #require(Issuer(rawValue: "http://127.0.0.1:\(port)"))))
            var configuration = ResourceServerConfiguration(
                relyingParty: caller.issuer, server: try #require(Issuer(rawValue: address)))
            let nonces = hasNonces ? DPoPNonces(key: SymmetricKey(size: .bits256)) : nil
            configuration.nonces = nonces
            try change(&configuration)
            let router = Router(context: Context.self)
            router.add(
                middleware: AccessTokenMiddleware(
                    configuration, keys: PublishedKeys(source: source), now: { TestTime.current }))
            router.get("accounts") { _, context in context.accessToken?.claims.subject.rawValue ?? "nobody" }
            router.post("accounts") { _, context in context.accessToken?.claims.device.rawValue ?? "nothing" }
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            let application = Application(
                router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: logger)
            try await application.test(setup) { client in
                try await body(caller, APICaller(client: client, source: source, nonces: nonces))
            }
        }
    }
}

/// Keys fetched from a relying party, with a count of the requests.
actor CountedSource: SigningKeySource {
    private let relyingParty: HTTPRelyingParty
    private(set) var count = 0

    init(relyingParty: HTTPRelyingParty) {
        self.relyingParty = relyingParty
    }

    func signingKeys() async throws(RelyingPartyError) -> JWKSet {
        count += 1
        return try await relyingParty.signingKeys()
    }
}

/// A caller of the resource server.
struct APICaller: Sendable {
    let client: any TestClientProtocol
    let source: CountedSource
    let nonces: DPoPNonces?

    func get(_ headers: [(String, String)]) async throws -> TestResponse {
        var fields = HTTPFields()
        for (name, value) in headers { fields.append(HTTPField(name: try #require(.init(name)), value: value)) }
        return try await client.execute(uri: "/accounts?page=2", method: .get, headers: fields)
    }

    /// Sends a request with a token and a proof; a test may change one part of the proof.
    func get(
        token: AccessToken,
        by device: TestDevice,
        change: (inout Draft) throws -> Void = { _ in }
    ) async throws -> TestResponse {
        var draft = try device.proofDraft(
            method: "GET", url: TestResourceServer.address + "/accounts", token: token,
            nonce: nonces?.nonce(at: TestTime.current))
        try change(&draft)
        return try await get([("Authorization", "DPoP " + token.rawValue), ("DPoP", try draft.text())])
    }
}

extension TestResponse {
    /// Checks that the answer is a refusal as RFC 6750 and RFC 9449 specify.
    func expectRefusal(
        _ code: ProblemCode,
        _ status: Int,
        error: String?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let problem = try StrictJSON.decode(Problem.self, from: Data(body.readableBytesView))
        #expect(problem.code == code && self.status.code == status, sourceLocation: sourceLocation)
        let challenge = headers[.wwwAuthenticate]
        #expect(challenge?.hasPrefix(#"DPoP algs="ES256 "#) == true, sourceLocation: sourceLocation)
        let expected = error.map { #", error="\#($0)""# } ?? #"RS512""#
        #expect(challenge?.hasSuffix(expected) == true, "\(challenge ?? "")", sourceLocation: sourceLocation)
    }
}

extension TestResourceServer {
    /// Returns a resource server whose relying party cannot be reached.
    static func applicationWithoutKeys() throws -> some ApplicationProtocol {
        let source = HTTPRelyingParty(issuer: try #require(Issuer(rawValue: "http://127.0.0.1:1")))
        let configuration = ResourceServerConfiguration(
            relyingParty: try Fixture.issuer(), server: try #require(Issuer(rawValue: address)))
        let router = Router(context: Context.self)
        router.add(middleware: AccessTokenMiddleware(configuration, keys: source))
        router.get("accounts") { _, _ in "reached" }
        return Application(router: router)
    }
}
