#if os(Linux) || os(macOS)
import Foundation
import Nightlatch
import NightlatchJourney
import NightlatchPlatform
import Testing

@Suite("Journeys against a server in Python")
struct PingServerTests {
    private let phone = JourneyPhone()

    private func journey() throws -> Journey { try PingWalk.journey(phone) }

    private func run(
        _ tree: String,
        as user: String,
        in journey: Journey,
        noSession: Bool = false,
        device answer: (any Callback) async -> Void = PingWalk.sign
    ) async throws -> any Node {
        await PingWalk.run(tree, as: user, in: journey, noSession: noSession, device: answer).node
    }

    private func isSuccess(_ node: any Node) -> Bool { PingWalk.isSuccess(node) }

    @Test(
        "Keys are bound, sign with and without a user name, are renamed, deleted and bound again", arguments: Self.types
    )
    func story(_ type: String) async throws {
        let journey = try journey()
        for _ in 0..<4 { phone.person.type(.pin("295038")) }
        #expect(isSuccess(try await run("Bind-\(type)", as: "alice", in: journey)))
        #expect(isSuccess(try await run("Sign", as: "alice", in: journey)))
        #expect(isSuccess(try await run("Usernameless", as: "alice", in: journey)))
        let list = try #require(journey.userKeys)
        let key = try #require(try await list.getAllKeys().first)
        #expect(key.authType.rawValue == type)
        let device = try #require(try await journey.boundDevices.list().first { $0.id == key.kid })
        #expect(device.deviceName == "Phone")
        try await journey.boundDevices.rename(device, to: "Old “phone”/ü")
        let renamed = try #require(try await journey.boundDevices.list().first { $0.id == key.kid })
        #expect(renamed.deviceName == "Old “phone”/ü")
        try await journey.boundDevices.delete(renamed)
        #expect(try await !journey.boundDevices.list().contains { $0.id == key.kid })
        #expect(try await list.getAllKeys().isEmpty)
        #expect(try await phone.possessions() == JourneyPhone.Possessions())
        #expect(isSuccess(try await run("Bind-\(type)", as: "alice", in: journey)))
        #expect(try await list.getAllKeys().first?.kid != key.kid)
        try await journey.signOff().get()
        await #expect(throws: JourneyError.noSession) { try await journey.boundDevices.list() }
    }

    static let types = ["NONE", "APPLICATION_PIN", "BIOMETRIC_ONLY", "BIOMETRIC_ALLOW_FALLBACK"]

    @Test("A device without a key reports that, and the server leads it to binding")
    func routedToBinding() async throws {
        let journey = try journey()
        #expect(isSuccess(try await run("Sign", as: "bob", in: journey)))
        #expect(try await journey.userKeys?.getAllKeys().count == 1)
        #expect(isSuccess(try await run("Sign", as: "bob", in: journey)))
    }

    @Test("Without a user name, the selected key determines the user")
    func selected() async throws {
        let journey = try journey()
        for user in ["alice", "bob"] { #expect(isSuccess(try await run("Bind-NONE", as: user, in: journey))) }
        phone.person.choose { keys in keys.first { $0.username == "bob" } }
        #expect(isSuccess(try await run("Usernameless", as: "", in: journey)))
        #expect(phone.person.offered.first?.map(\.username) == ["alice", "bob"])
        let bob = try #require(try await journey.userKeys?.getAllKeys().first { $0.username == "bob" })
        #expect(try await journey.boundDevices.list().contains { $0.id == bob.kid })
    }

    @Test("A transaction's text is signed unchanged, with the app's claims")
    func transaction() async throws {
        let journey = try journey()
        #expect(isSuccess(try await run("Bind-NONE", as: "alice", in: journey)))
        let node = try await run("Sign-Pay 100 € to “Night/Train”", as: "alice", in: journey, noSession: true) {
            callback in
            await (callback as? DeviceSigningVerifierCallback)?.sign { $0.claims = ["amount": "100.00"] }
        }
        #expect(isSuccess(node))
        #expect((node as? SuccessNode)?.session.value == "")
        #expect(await journey.session()?.value.isEmpty == false)
    }

    @Test("A refused binding leaves the previous key, and a key whose answer was lost is not preferred to it")
    func refused() async throws {
        let journey = try journey()
        #expect(isSuccess(try await run("Bind-NONE", as: "alice", in: journey)))
        let list = try #require(journey.userKeys)
        let before = try await list.getAllKeys()
        #expect(try await run("Bind-NONE-refused", as: "alice", in: journey) is ErrorNode)
        #expect(try await list.getAllKeys() == before)
        #expect(try await phone.possessions().keys == 1)
        #expect(try await run("Bind-NONE-broken", as: "alice", in: journey) is FailureNode)
        #expect(try await list.getAllKeys() == before)
        #expect(isSuccess(try await run("Sign", as: "alice", in: journey)))
    }

    @Test("A key that the server never took costs no other key, even if journeys succeed in another way")
    func fallback() async throws {
        let journey = try journey()
        #expect(isSuccess(try await run("Bind-NONE", as: "alice", in: journey)))
        #expect(isSuccess(try await run("Sign", as: "alice", in: journey)))
        let list = try #require(journey.userKeys)
        let old = try #require(try await list.getAllKeys().first)
        #expect(isSuccess(try await run("Bind-NONE-optional", as: "alice", in: journey)))
        #expect(isSuccess(try await run("Fallback", as: "alice", in: journey)))
        #expect(try await phone.possessions().keys == 2)
        // The server refuses the key itself, so the key ranks behind the others.
        #expect(try await run("Usernameless", as: "alice", in: journey) is ErrorNode)
        let devices = try await journey.boundDevices.list().map(\.id)
        #expect(devices.contains(old.kid))
        #expect(try await list.getAllKeys().map(\.kid) == [old.kid])
        #expect(isSuccess(try await run("Sign", as: "alice", in: journey)))
    }

    @Test("A step that binds is sent once, even if its answer was lost, and the key that the server has stays")
    func repeated() async throws {
        for tree in ["Bind-NONE", "Bind-NONE-broken"] {
            let journey = try journey()
            let page = try #require(await journey.start(tree) as? ContinueNode)
            (page.callbacks[0] as? NameCallback)?.name = "bob"
            (page.callbacks[1] as? PasswordCallback)?.password = "bob's password"
            let step = try #require(await page.next() as? ContinueNode)
            await PingWalk.sign(try #require(step.callbacks.first))
            let first = await step.next()
            #expect(tree == "Bind-NONE" ? first is SuccessNode : first is FailureNode)
            let again = try #require(await step.next() as? FailureNode)
            #expect(again.cause as? JourneyError == .alreadyAnswered)
        }
        #expect(try await phone.possessions().keys == 2)
    }

    @Test("A wrong password is a refusal, and a step is answered once")
    func login() async throws {
        let journey = try journey()
        let node = try #require(await journey.start("Login") as? ContinueNode)
        (node.callbacks[0] as? NameCallback)?.name = "alice"
        (node.callbacks[1] as? PasswordCallback)?.password = "wrong"
        let end = try #require(await node.next() as? ErrorNode)
        #expect(end.message == "Login failure")
        #expect(await node.next() is ErrorNode)
        #expect(isSuccess(try await run("Login", as: "alice", in: journey)))
    }
}
#endif
