import Foundation
import Nightlatch
import NightlatchJourney
import NightlatchTesting
import Testing

@Suite("Lists of devices and keys")
struct DeviceListTests {
    private let phone = JourneyPhone()

    private static let info = ScriptedServer.Answer.answer(
        status: 200, body: #"{"username":"al ice","realm":"/alpha"}"#)

    /// A journey with a session.
    private func journey() async throws -> Journey {
        let journey = phone.journey()
        phone.server.script(.success)
        #expect(await journey.start("Login") is SuccessNode)
        return journey
    }

    private func record(_ id: String) -> String {
        #"{"_id":"\#(id)","_rev":"177719109","createdDate":1726012192353,"lastAccessDate":1726012206459,"#
            + #""deviceId":"e770-6d25","deviceName":"Test2","uuid":"\#(id)","#
            + #""key":{"kty":"RSA","kid":"\#(id)","use":"sig","alg":"RS512","n":"AQ","e":"AQAB"},"deviceManagementStatus":false}"#
    }

    private static func list(_ records: String...) -> ScriptedServer.Answer {
        .answer(status: 200, body: #"{"result":[\#(records.joined(separator: ","))],"resultCount":\#(records.count)}"#)
    }

    private func list(_ journey: Journey, _ record: String) async throws -> [BoundDevice] {
        phone.server.script(Self.info, Self.list(record))
        return try await journey.boundDevices.list()
    }

    @Test("The server's devices are listed, renamed and deleted by the documented requests", arguments: [200, 204])
    func requests(deletionStatus: Int) async throws {
        let journey = try await journey()
        let key = try await phone.bind()
        let device = try #require(try await list(journey, record(key.kid)).first)
        #expect(device.deviceName == "Test2")
        #expect(device.createdDate == Date(timeIntervalSince1970: 1_726_012_192.353))
        phone.server.script(Self.info, .answer(status: 200, body: record(key.kid)))
        try await journey.boundDevices.rename(device, to: "Tablet")
        #expect(phone.server.lastBody == record(key.kid).replacing("Test2", with: "Tablet"))
        phone.server.script(
            Self.info, .answer(status: deletionStatus, body: deletionStatus == 204 ? "" : record(key.kid)))
        try await journey.boundDevices.delete(device)
        #expect(try await phone.keys().isEmpty)
        #expect(try await phone.possessions() == JourneyPhone.Possessions())
        let base = "https://example.com/am/json/realms/alpha"
        let requests = phone.server.requests.suffix(6).map { "\($0.method) \($0.url.absoluteString)" }
        let devices = "\(base)/users/al%20ice/devices/2fa/binding"
        #expect(
            requests == [
                "POST \(base)/sessions?_action=getSessionInfo", "GET \(devices)?_queryFilter=true",
                "POST \(base)/sessions?_action=getSessionInfo", "PUT \(devices)/\(key.kid)",
                "POST \(base)/sessions?_action=getSessionInfo", "DELETE \(devices)/\(key.kid)",
            ])
        let bodies = phone.server.requests.suffix(6).map { $0.body.map { String(decoding: $0, as: UTF8.self) } }
        #expect(bodies == ["{}", nil, "{}", record(key.kid).replacing("Test2", with: "Tablet"), "{}", nil])
        #expect(phone.server.requests.suffix(6).allSatisfy { $0.headers["iPlanetDirectoryPro"] == "token-1" })
        #expect(
            phone.server.requests.suffix(6).map { $0.headers["Accept-API-Version"] } == [
                "resource=2.1", "resource=1.0", "resource=2.1", "resource=1.0", "resource=2.1", "resource=1.0",
            ])
    }

    @Test("A list that cannot be fetched is an error, and never empty")
    func noList() async throws {
        let journey = try await journey()
        let refused = JourneyError.refused(status: 401, message: "Login failure")
        for (answer, error): (ScriptedServer.Answer, JourneyError) in [
            (.refusal, refused), (.failure, .serverFailed(status: 503)),
            (.answer(status: 200, body: "{}"), .unintelligible(status: 200)),
            (.answer(status: 200, body: #"{"result":[{"deviceName":"x"}]}"#), .unintelligible(status: 200)),
        ] {
            phone.server.script(Self.info, answer)
            await #expect(throws: error) { _ = try await journey.boundDevices.list() }
        }
        phone.server.script(.refusal)
        await #expect(throws: refused) { _ = try await journey.boundDevices.list() }
    }

    @Test("A device is deleted at the server first: without the server's confirmation, the key stays on this device")
    func deletionFails() async throws {
        let journey = try await journey()
        let key = try await phone.bind()
        let device = try #require(try await list(journey, record(key.kid)).first)
        for (answer, error): (ScriptedServer.Answer, JourneyError) in [
            (.lost, .transport(.unreachable(reason: "lost"))),
            (.answer(status: 403, body: #"{"code":403,"message":"no"}"#), .refused(status: 403, message: "no")),
        ] {
            phone.server.script(Self.info, answer)
            await #expect(throws: error) { try await journey.boundDevices.delete(device) }
            #expect(try await phone.keys() == [key])
        }
        // The server has already deleted it: an earlier answer was lost. Then the key is deleted here, at the latest
        // when the store works again.
        let gone = ScriptedServer.Answer.answer(status: 404, body: #"{"code":404,"message":"Not found"}"#)
        phone.server.script(Self.info, gone, Self.info, Self.list())
        phone.registry.fail(at: 0, .before)
        let unavailable = RegistryError(.userKeys, StoreError(.unavailable))
        await #expect(throws: JourneyError.keyRegistry(unavailable)) {
            try await journey.boundDevices.delete(device)
        }
        phone.registry.repair()
        phone.server.script(Self.info, gone, Self.info, Self.list())
        try await journey.boundDevices.delete(device)
        #expect(try await phone.keys().isEmpty)
    }

    @Test("A status of not found for a device that the list still has deletes no key")
    func notFoundElsewhere() async throws {
        let journey = try await journey()
        let key = try await phone.bind()
        let device = try #require(try await list(journey, record(key.kid)).first)
        let notFound = ScriptedServer.Answer.answer(status: 404, body: #"{"code":404,"message":"no such path"}"#)
        phone.server.script(Self.info, notFound, Self.info, Self.list(record(key.kid)))
        await #expect(throws: JourneyError.refused(status: 404, message: "no such path")) {
            try await journey.boundDevices.delete(device)
        }
        phone.server.script(Self.info, notFound, Self.info, notFound)
        await #expect(throws: JourneyError.refused(status: 404, message: "no such path")) {
            try await journey.boundDevices.delete(device)
        }
        #expect(try await phone.keys() == [key])
    }

    @Test("Keys of this device are listed with their users, renamed and deleted without the server")
    func local() async throws {
        let list = try #require(phone.journey().userKeys)
        phone.person.alwaysType("295038")
        let alice = try await phone.bind("APPLICATION_PIN", user: "alice", name: "Alice")
        let bob = try await phone.bind("BIOMETRIC_ONLY", user: "bob", name: "Bob")
        #expect(try await list.getAllKeys() == [alice, bob])
        #expect(alice.username == "Alice")
        #expect(alice.id == alice.kid)
        #expect(alice.createdAt == JourneyPhone.start)
        try await list.rename(alice, to: "Work")
        #expect(try await list.getAllKeys().map(\.name) == ["Work", "Phone"])
        await #expect(throws: UserKeyError.textTooLong) {
            try await list.rename(alice, to: String(repeating: "x", count: 1025))
        }
        try await list.deleteKey(alice)
        #expect(try await phone.possessions() == JourneyPhone.Possessions(keys: 1, biometricKeys: 1))
        await #expect(throws: UserKeyError.noKey) { try await list.rename(alice, to: "Home") }
        try await list.deleteAllKeys()
        #expect(try await phone.possessions() == JourneyPhone.Possessions())
        #expect(try await list.getAllKeys().isEmpty)
    }
}
