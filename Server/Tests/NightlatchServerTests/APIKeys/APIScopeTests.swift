import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Synchronization
import Testing

@Suite("Scopes of routes")
struct APIScopeTests {
    /// A route that needs a key, and its scope.
    private struct Keyed {
        let operation: OpenAPIOperation
        let scope: APIScope
        let isForOperators: Bool
    }

    /// All of them. ``OpenAPIDocumentTests`` proves that the description has every route that is served.
    private static let keyed: [Keyed] = OpenAPIOperations.all.compactMap { operation in
        switch operation.caller {
        case .backend(let scope): Keyed(operation: operation, scope: scope, isForOperators: false)
        case .administrator(let scope): Keyed(operation: operation, scope: scope, isForOperators: true)
        case .anybody, .session, .provedDevice: nil
        }
    }

    /// Calls a route with the example of its description. Placeholders in its path get ids that do not exist.
    private func call(_ keyed: Keyed, as credentials: String?, at caller: TestCaller) async throws -> TestResponse {
        let route = keyed.operation.route
        var path = route.path.replacing("{client}", with: "nobody").replacing("?", with: "")
        for name in ["device", "transaction", "key"] {
            path = path.replacing("{\(name)}", with: String(repeating: "0", count: 32))
        }
        var headers = credentials.map { ["Authorization": "Bearer " + $0] } ?? [:]
        guard route.method == .post else {
            return try await caller.call(.get, path + "?user=nobody", headers: headers)
        }
        headers["Content-Type"] = keyed.operation.isOAuth ? "application/x-www-form-urlencoded" : "application/json"
        return try await caller.call(.post, path, headers: headers, body: try body(of: keyed.operation))
    }

    private func body(of operation: OpenAPIOperation) throws -> String {
        if operation.isOAuth { return "token=x" }
        // The example of a new key asks for scopes that a key with this one does not have.
        if operation.route == .createAPIKey { return #"{"name":"new","scopes":["keys:write"]}"# }
        guard let content = operation.object["requestBody"]?["content"]?["application/json"] else { return "" }
        return String(decoding: StrictJSON.bytes(of: try #require(content["example"])), as: UTF8.self)
    }

    private func code(_ response: TestResponse) throws -> String? {
        (try? JSONSerialization.jsonObject(with: Data(response.text.utf8)) as? [String: Any])?["code"] as? String
    }

    @Test("Exactly the scope of a route opens it, and no other scope does", arguments: APIScope.allCases)
    func matrix(scope: APIScope) async throws {
        #expect(Self.keyed.count > 40)
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let token = try await TestAPIKey.created("one scope", scopes: [scope], in: store).rawValue
        try await TestRelyingParty.with(store) { caller in
            for route in Self.keyed {
                let answer = try await call(route, as: token, at: caller)
                let name = "\(route.operation.route.path) with \(scope)"
                if route.scope == scope {
                    #expect(answer.status != .unauthorized, "\(name): \(answer.text)")
                    #expect(
                        answer.status != .forbidden || scope == .passwordsVerify, "\(name): \(answer.text)")
                    #expect(try code(answer) != "api_key_scope_missing", "\(name)")
                } else {
                    #expect(answer.status == .forbidden, "\(name): \(answer.text)")
                    #expect(try code(answer) == "api_key_scope_missing", "\(name): \(answer.text)")
                }
            }
        }
    }

    /// The scopes of the routes of journeys, which the description does not have. `JourneyKeyScopeTests` tests them.
    private static let ofJourneys: Set<APIScope> = [.journeyKeysRead, .journeyKeysWrite, .journeyKeysRemove]

    @Test("Each scope opens routes of backends or routes below /v1/admin, and none opens both")
    func complete() {
        let (ofOperators, ofBackends) = (
            Set(Self.keyed.filter(\.isForOperators).map(\.scope)),
            Set(Self.keyed.filter { !$0.isForOperators }.map(\.scope)).union(Self.ofJourneys)
        )
        #expect(ofOperators.union(ofBackends) == Set(APIScope.allCases))
        #expect(ofOperators.isDisjoint(with: ofBackends))
        #expect(ofBackends == APIScope.ofBackendKey)
        for operation in OpenAPIOperations.all {
            let isForOperators = if case .administrator = operation.caller { true } else { false }
            #expect(operation.route.path.hasPrefix("/v1/admin/") == isForOperators, "\(operation.route.path)")
        }
    }

    @Test("The backend key of the settings opens the routes of backends, and none of operators")
    func backendKey() async throws {
        #expect(Set(Self.keyed.filter { !$0.isForOperators }.map(\.scope)).isSubset(of: APIScope.ofBackendKey))
        try await TestRelyingParty.with(MemoryRelyingPartyStore(clock: TestTime.clock)) { caller in
            for route in Self.keyed {
                let answer = try await call(route, as: caller.backendKey.rawValue, at: caller)
                let isMissing = try code(answer) == "api_key_scope_missing"
                #expect(isMissing == route.isForOperators, "\(route.operation.route.path): \(answer.text)")
                #expect(answer.status != .unauthorized, "\(route.operation.route.path)")
            }
        }
    }

    @Test("A missing, malformed, unknown, wrong, expired or revoked key gets the same answer at every route")
    func refused() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let all = Set(APIScope.allCases)
        let good = try await TestAPIKey.created("good", scopes: all, in: store)
        let short = try await TestAPIKey.created("short", scopes: all, expiresAt: TestTime.current, in: store)
        let revoked = try await TestAPIKey.created("revoked", scopes: all, in: store)
        _ = try await store.revokeAPIKey(revoked.keyID, by: .operator)
        let refused: [String?] = [
            nil, "nonsense", APIToken.random(for: .random()).rawValue, APIToken.random(for: good.keyID).rawValue,
            short.rawValue, revoked.rawValue,
        ]
        try await TestTime.after(.seconds(1)) {
            try await TestRelyingParty.with(store, setup: .router) { caller in
                for route in Self.keyed {
                    let answers = try await refused.asyncMap { try await call(route, as: $0, at: caller) }
                    for answer in answers {
                        #expect(answer.status == .unauthorized, "\(route.operation.route.path): \(answer.text)")
                        #expect(answer.text == answers[0].text && answer.headers[.wwwAuthenticate] == "Bearer")
                    }
                    #expect(try await call(route, as: good.rawValue, at: caller).status != .unauthorized)
                }
            }
        }
    }

    @Test("A refused key counts against the limit of its address, a right one does not")
    func limited() async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.limits.perAddress = RateLimit(count: 1, period: .seconds(100_000), burst: 3)
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let token = try await TestAPIKey.created("good", in: store).rawValue
        try await TestRelyingParty.with(store, setup: .live, configuration: configuration) {
            (caller: TestCaller) async throws in
            func status(_ token: String) async throws -> HTTPResponse.Status {
                try await caller.call(
                    .get, Route.administeredUsers.path, headers: ["Authorization": "Bearer " + token]
                ).status
            }
            let wrong = APIToken.random(for: .random()).rawValue
            var statuses: [HTTPResponse.Status] = []
            for text in Array(repeating: token, count: 9) + Array(repeating: wrong, count: 4) + [token] {
                statuses.append(try await status(text))
            }
            let expected =
                Array(repeating: HTTPResponse.Status.ok, count: 9)
                + [.unauthorized, .unauthorized, .unauthorized, .tooManyRequests, .ok]
            #expect(statuses == expected)
        }
    }

    /// Counts reads of API keys.
    private final class ReadCount: Sendable {
        private let count = Mutex(0)

        var value: Int { count.withLock { $0 } }

        func add() { count.withLock { $0 += 1 } }
    }

    @Test(
        "An address that has sent too many wrong tokens causes few reads, and a right key passes there all the same",
        arguments: [false, true])
    func lookups(isFailing: Bool) async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.limits.perAddress = RateLimit(count: 1, period: .seconds(100_000), burst: 3)
        let memory = MemoryRelyingPartyStore(clock: TestTime.clock)
        let used = try await TestAPIKey.created("used", in: memory).rawValue
        let fresh = try await TestAPIKey.created("fresh", in: memory).rawValue
        let count = ReadCount()
        let store = BrokenStore(
            reading: memory, failure: RelyingPartyStoreError(.unavailable), failsReadingKeys: isFailing,
            noteKeyRead: { count.add() })
        let masterKey = MasterKey.random()
        try await TestRelyingParty.with(memory, masterKey: masterKey) { _ in }
        try await TestRelyingParty.with(
            store, setup: .live, masterKey: masterKey, configuration: configuration
        ) { caller in
            func status(_ token: String) async throws -> Int {
                try await caller.call(
                    .get, Route.administeredUsers.path, headers: ["Authorization": "Bearer " + token]
                ).status.code
            }
            if !isFailing { #expect(try await status(used) == 200) }
            let before = count.value
            var statuses: [Int] = []
            if !isFailing {
                for _ in 0..<4 { statuses.append(try await status(APIToken.random(for: .random()).rawValue)) }
                #expect(statuses == [401, 401, 401, 429])
                // The small limit still has reads, so a key that this process has not seen yet passes.
                #expect(try await status(fresh) == 200)
            }
            for _ in 0..<60 { statuses.append(try await status(APIToken.random(for: .random()).rawValue)) }
            #expect(statuses.prefix(3).allSatisfy { $0 == (isFailing ? 503 : 401) })
            #expect(statuses.contains(429))
            // Three of the address, five of the small limit, and one for each second that this test takes.
            #expect(count.value - before < 40, "\(count.value - before) reads")
            guard !isFailing else { return }
            // Keys that were right before pass, however many wrong ones the address sends.
            for _ in 0..<20 {
                #expect(try await status(used) == 200)
                #expect(try await status(fresh) == 200)
            }
        }
    }

    @Test("If the store fails after a key was admitted, an operator's request is answered with unavailable")
    func failingVerb() async throws {
        let memory = MemoryRelyingPartyStore(clock: TestTime.clock)
        let token = try await TestAPIKey.created("good", scopes: Set(APIScope.allCases), in: memory)
        let masterKey = MasterKey.random()
        try await TestRelyingParty.with(memory, masterKey: masterKey) { _ in }
        let broken = BrokenStore(reading: memory, failure: RelyingPartyStoreError(.unavailable))
        try await TestRelyingParty.with(broken, masterKey: masterKey) { caller in
            for (path, body) in [
                (Route.createAPIKey.path, #"{"name":"x","scopes":["users:read"]}"#),
                (Route.revokeAPIKey.path(key: token.keyID.rawValue), #"{"reason":"x"}"#),
                (Route.administerDeviceBlock.path(device: .random()), #"{"user":"alice","reason":"x"}"#),
            ] {
                let answer = try await caller.call(
                    .post, path,
                    headers: ["Authorization": "Bearer " + token.rawValue, "Content-Type": "application/json"],
                    body: body)
                #expect(answer.status == .serviceUnavailable, "\(path): \(answer.text)")
            }
        }
    }

    @Test("If the store does not answer, a key is not refused: the caller is told to try again")
    func unavailable() async throws {
        let memory = MemoryRelyingPartyStore(clock: TestTime.clock)
        let token = try await TestAPIKey.created("good", scopes: Set(APIScope.allCases), in: memory)
        let failure = RelyingPartyStoreError(.unavailable)
        let broken = BrokenStore(reading: memory, failure: failure, failsReadingKeys: true)
        // The relying party needs its signing key, which the broken store cannot write.
        let masterKey = MasterKey.random()
        try await TestRelyingParty.with(memory, masterKey: masterKey) { _ in }
        try await TestRelyingParty.with(broken, masterKey: masterKey) { caller in
            for route in Self.keyed {
                let answer = try await call(route, as: token.rawValue, at: caller)
                #expect(answer.status == .serviceUnavailable, "\(route.operation.route.path): \(answer.text)")
                // A request without a token reads no key.
                #expect(try await call(route, as: "nonsense", at: caller).status == .unauthorized)
            }
        }
    }
}

extension Array where Element: Sendable {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
