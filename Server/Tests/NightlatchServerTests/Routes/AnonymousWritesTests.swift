import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import NightlatchServer
import NightlatchWire
import Testing

@Suite("Callers who show nothing")
struct AnonymousWritesTests {
    /// What a body can look like that somebody sends who knows the protocol and a user's name.
    private static func bodies() throws -> [(type: String, text: String)] {
        let key = try TestDevice().key.id
        return [
            ("application/json", "{}"),
            ("application/json", #"{"user":"alice","password":"a wrong one"}"#),
            ("application/json", #"{"user":"nobody","password":"a wrong one"}"#),
            ("application/json", #"{"user":"alice"}"#),
            ("application/json", #"{"enrolment_code":"0000-0000-0000-0000","device_key":"\#(key)"}"#),
            ("application/json", #"{"handle":"AAAA","message":"eyJ.e30.AAAA"}"#),
            ("application/x-www-form-urlencoded", "grant_type=refresh_token&refresh_token=AAAA"),
            ("application/x-www-form-urlencoded", "token=AAAA"),
        ]
    }

    @Test("RP9: write nothing but the one row that slows guessing down at the password of a user who has one")
    func nothing() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            try await TestRelyingParty.with(store, configuration: try Self.withoutLimits()) { caller in
                let (alice, device) = (try Fixture.alice(), TestDevice())
                let id = try await caller.bind(device, to: alice)
                let grant = try await caller.logIn(device, id: id, user: alice)
                #expect(grant.status == .ok)
                let set = try await caller.call(
                    .post, Route.setPassword.path,
                    headers: [
                        "Content-Type": "application/json", "Authorization": "Bearer " + caller.backendKey.rawValue,
                    ],
                    body: #"{"user":"alice","password":"the right one"}"#)
                #expect(set.status == .ok)

                let bodies = try Self.bodies()
                let before = try Self.rows(of: path)
                for operation in OpenAPIOperations.all where operation.route != .readiness {
                    let route = operation.route
                    for body in bodies {
                        let answer = try await caller.call(
                            try #require(HTTPRequest.Method(route.method.rawValue)), route.path,
                            headers: ["Content-Type": body.type], body: body.text)
                        #expect(answer.status != .internalServerError, "\(route)")
                    }
                    // With a message and a proof that are well made, by keys that nobody knows.
                    let stranger = TestDevice()
                    let begun = try await caller.beginLogin(user: alice, device: id)
                    let message = try stranger.loginDraft(user: alice, challenge: begun.challenge, to: caller.issuer)
                    let refused = try await caller.token(
                        .login(assertion: message.text(), handle: begun.handle), proof: caller.proof(by: stranger))
                    #expect(refused.status == .badRequest)
                }
                let after = try Self.rows(of: path)
                #expect(after.keys == before.keys && after.count > 10)
                for (table, rows) in after where table != "password" { #expect(rows == before[table], "\(table)") }
                #expect(after["password"]?.count == 1 && after["password"] != before["password"])
            }
        }
    }

    private static func withoutLimits() throws -> RelyingPartyConfiguration {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.limits.perAddress = nil
        configuration.limits.perAccount = nil
        configuration.passwordHashing = PasswordHashing(unchecked: 8, passes: 1, lanes: 1, answerTime: .zero)
        return configuration
    }

    /// All that stands in the database, by table.
    private static func rows(of path: String) throws -> [String: [String]] {
        try DatabaseQueue(path: path).read { database in
            let tables = try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            return try Dictionary(
                uniqueKeysWithValues: tables.map { table in
                    (table, try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map(\.description).sorted())
                })
        }
    }
}
