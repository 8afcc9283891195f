import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchConsole
import NightlatchLoginPage
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchTokenVerification
import NightlatchWire
import Testing

@Suite("The OpenAPI description")
struct OpenAPIDocumentTests {
    /// The routes that the description omits.
    ///
    /// The pages of the console and of the login are for people. Journeys are a protocol that others describe, at
    /// addresses that they define; the app's backend manages journey devices there with its key, and gets the same
    /// answers as the users (docs/journeys.md). OpenID Connect is described by its standard and by the discovery
    /// document.
    static let others: Set<String> = {
        let console = [
            "GET /console", "GET /console/**", "GET /console/audit", "GET /console/device", "GET /console/policy",
            "GET /console/sign-in", "GET /console/style.css", "GET /console/transaction", "GET /console/user",
            "GET /console/users", "GET /console/device/rename", "GET /console/device/block",
            "GET /console/device/revoke",
            "GET /console/device/unblock", "GET /console/transaction/void", "POST /console/**",
            "POST /console/device/block", "POST /console/device/rename", "POST /console/device/revoke",
            "POST /console/device/unblock", "POST /console/sign-in", "POST /console/sign-out",
            "POST /console/transaction/void", "GET /console/journey-key", "GET /console/journey-key/rename",
            "POST /console/journey-key/rename", "GET /console/journey-key/remove", "POST /console/journey-key/remove",
            "GET /console/user/end-sessions", "POST /console/user/end-sessions", "POST /console/user/export",
            "GET /console/user/delete", "POST /console/user/delete",
            "GET /console/apps", "GET /console/apps/add", "POST /console/apps/add", "GET /console/app",
            "GET /console/app/change", "POST /console/app/change", "GET /console/app/remove",
            "POST /console/app/remove",
            "GET /console/policy/of", "POST /console/policy/of",
            "GET /console/find", "GET /console/devices", "GET /console/transactions", "GET /console/remote-logins",
            "POST /console/users/export", "POST /console/devices/export", "POST /console/transactions/export",
            "POST /console/remote-logins/export", "POST /console/audit/export",
        ]
        let kinds = ["2fa/binding", "2fa/oath", "2fa/push", "2fa/webauthn", "profile"]
        let realms = [
            "/json/realms/{realm}", "/json/realms/root/realms/{realm}", "/am/json/realms/{realm}",
            "/am/json/realms/root/realms/{realm}",
        ]
        let journeys: [String] = realms.flatMap { realm -> [String] in
            let devices = kinds.map { "\(realm)/users/{user}/devices/\($0)" }
            return ["POST \(realm)/authenticate", "POST \(realm)/sessions"]
                + devices.flatMap { ["GET \($0)", "PUT \($0)/{device}", "DELETE \($0)/{device}"] }
        }
        let own = [
            "GET /oauth/authorize", "POST /oauth/authorize", "GET /oauth/userinfo", "POST /oauth/userinfo",
            "POST /oauth/par", "POST /oauth/bc-authorize", "GET /oauth/end-session", "POST /oauth/end-session",
            "GET /.well-known/openid-configuration",
        ]
        let provider: [String] = ["", "/am"].flatMap { context in
            ["/oauth2", "/oauth2/{realm}", "/oauth2/realms/{realm}", "/oauth2/realms/root/realms/{realm}"].map {
                context + $0
            }
        }.flatMap { base -> [String] in
            [
                "GET \(base)/.well-known/openid-configuration", "GET \(base)/authorize", "POST \(base)/authorize",
                "POST \(base)/access_token", "GET \(base)/userinfo", "POST \(base)/userinfo",
                "POST \(base)/token/revoke", "POST \(base)/introspect", "GET \(base)/connect/endSession",
                "POST \(base)/connect/endSession", "POST \(base)/par",
                "POST \(base)/bc-authorize",
            ]
        }
        let login = [
            "GET /login", "GET /login/state", "GET /login/style.css", "POST /login/ask", "POST /login/again",
            "POST /login/cancel",
        ]
        return Set(console + journeys + own + provider + login)
    }()

    private func routes() async throws -> Set<String> {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        let journeys = #"{"contextPath": "/am", "applicationIds": ["com.example.app"]}"#
        configuration.journeys = try JourneyConfiguration(Data(journeys.utf8))
        let masterKey = MasterKey.random()
        let keys = try await TokenKeys(
            relyingParty: configuration.issuer,
            schedule: SigningKeySchedule(accessTokenLife: .seconds(300), signingKeyLife: nil), store: store,
            keyring: MasterKeyring(masterKey), now: TestTime.current)
        let table = buildRoutes(
            configuration: configuration, store: store, secrets: RelyingPartySecrets(masterKey),
            backendKey: try #require(BackendKey(rawValue: "key")),
            additions: [.console(adminKey: .random()), .loginPage],
            clock: TestTime.clock,
            keys: keys,
            refusals: RefusalTally())
        return Set(
            table.methods
                .flatMap { path, methods in methods.map { "\($0.rawValue) \(path)" } })
    }

    @Test("The description has exactly the routes that are served, except the console, journeys and OpenID Connect")
    func everyRoute() async throws {
        let described = OpenAPIOperations.all.map { "\($0.route.method.rawValue) \($0.route.path)" }
        #expect(Set(described).count == described.count)
        #expect(Self.others.isDisjoint(with: described))
        #expect(try await routes() == Self.others.union(described))
    }

    @Test("The description is public, names this server's address, and may be cached")
    func served() async throws {
        try await TestRelyingParty.with(MemoryRelyingPartyStore(clock: TestTime.clock)) { caller in
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

    /// Returns all references in `tree`.
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

    @Test("Every referenced part exists, every part is referenced, and operation names are unique")
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

    /// Returns the media type objects of the bodies in `operation`.
    private func mediaTypes(of operation: JSONTree) -> [JSONTree] {
        guard case .object(let responses)? = operation["responses"] else { return [] }
        return ([operation["requestBody"]].compactMap(\.self) + responses.values).flatMap { body -> [JSONTree] in
            guard case .object(let content)? = body["content"] else { return [] }
            return Array(content.values)
        }
    }

    @Test("Every operation has a described tag and a description, and every body has an example")
    func described() throws {
        let tags = Set(OpenAPITag.allCases.map { JSONTree.string($0.rawValue) })
        let described = OpenAPIDocument(issuer: try Fixture.issuer()).tree["tags"]?.elements.compactMap { $0["name"] }
        #expect(Set(described ?? []) == tags)
        var used: Set<JSONTree> = []
        for operation in OpenAPIOperations.all.map(\.object) {
            let tag = try #require(operation["tags"]?.elements.first)
            used.insert(tag)
            guard case .string(let text)? = operation["description"] else {
                Issue.record("no description: \(operation)")
                continue
            }
            #expect(text.count > 20 && text.hasSuffix("."), "\(text)")
            #expect(!mediaTypes(of: operation).isEmpty)
            for mediaType in mediaTypes(of: operation) { #expect(mediaType["example"] != nil, "\(operation)") }
        }
        #expect(used == tags)
    }

    @Test("Every problem code belongs to a route, except that of a wrong method")
    func everyCode() throws {
        let text = String(
            decoding: StrictJSON.encode(OpenAPIDocument(issuer: try Fixture.issuer()).tree), as: UTF8.self)
        for code in ProblemCode.all where code != .methodNotAllowed {
            #expect(text.contains("\"\(code.rawValue)\""), "\(code.rawValue)")
        }
    }
}
