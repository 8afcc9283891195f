import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchServer
import NightlatchTokenVerification
import NightlatchWire
import Testing

@Suite("The OpenAPI description")
struct OpenAPIDocumentTests {
    /// What is no part of it: pages for people, and a protocol that others describe.
    private static let others = ["/console", "/json/"]

    private func routes() async throws -> Set<String> {
        let store = MemoryStore(clock: TestTime.clock)
        let configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        let masterKey = MasterKey.random()
        let keys = try await TokenKeys(
            relyingParty: configuration.issuer, clients: configuration.clients,
            schedule: SigningKeySchedule(accessTokenLife: .seconds(300), signingKeyLife: nil), store: store,
            masterKey: masterKey, now: TestTime.current)
        let table = buildRouter(
            configuration: configuration, store: store, masterKey: masterKey,
            backendKey: try #require(BackendKey(rawValue: "key")), adminKey: nil, clock: TestTime.clock, keys: keys,
            refusals: RefusalTally())
        return Set(
            table.methods.filter { path, _ in !Self.others.contains { path.hasPrefix($0) } }
                .flatMap { path, methods in methods.map { "\($0.rawValue) \(path)" } })
    }

    @Test("RP8: It has every route that is served, and no other")
    func everyRoute() async throws {
        let described = OpenAPIOperations.all.map { "\($0.route.method.rawValue) \($0.route.path)" }
        #expect(Set(described).count == described.count)
        #expect(try await routes() == Set(described))
    }

    @Test("It is served to everybody, for this server's address, and may be kept")
    func served() async throws {
        try await TestRelyingParty.with(MemoryStore(clock: TestTime.clock)) { caller in
            let response = try await caller.call(.get, Route.openAPI.path)
            #expect(response.status == .ok)
            #expect(response.headers[.contentType] == "application/json")
            #expect(response.headers[.cacheControl] == "public, max-age=300")
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(response.text.utf8)) as? [String: Any])
            #expect(object["openapi"] as? String == "3.1.0")
            let servers = try #require(object["servers"] as? [[String: String]])
            #expect(servers.map { $0["url"] } == [caller.issuer.rawValue])
            #expect((object["paths"] as? [String: Any])?.count == Set(OpenAPIOperations.all.map(\.route.path)).count)
        }
    }

    /// All references in `tree`.
    private func references(in tree: JSONTree) -> Set<String> {
        switch tree {
        case .object(let members):
            members.reduce(into: []) { all, member in
                if member.key == "$ref", case .string(let name) = member.value { all.insert(name) }
                all.formUnion(references(in: member.value))
            }
        case .array(let elements): elements.reduce(into: []) { $0.formUnion(references(in: $1)) }
        default: []
        }
    }

    @Test(
        "Every part of it that is named is there, every part that is there is named, and operations have names of their own"
    )
    func references() throws {
        let tree = OpenAPIDocument(issuer: try Fixture.issuer()).tree
        var present: Set<String> = []
        for kind in ["schemas", "headers", "parameters"] {
            guard case .object(let parts)? = tree["components"]?[kind] else {
                Issue.record("no \(kind)")
                continue
            }
            present.formUnion(parts.keys.map { "#/components/\(kind)/\($0)" })
        }
        #expect(references(in: tree) == present)
        let names = OpenAPIOperations.all.compactMap { $0.object["operationId"] }
        #expect(Set(names).count == OpenAPIOperations.all.count)
    }

    @Test("Every code that there is stands at some route, save that of a wrong method")
    func everyCode() throws {
        let text = String(
            decoding: StrictJSON.encode(OpenAPIDocument(issuer: try Fixture.issuer()).tree), as: UTF8.self)
        for code in ProblemCode.all where code != .methodNotAllowed {
            #expect(text.contains("\"\(code.rawValue)\""), "\(code.rawValue)")
        }
    }
}
