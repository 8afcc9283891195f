import Nightlatch
import NightlatchJourney
import NightlatchTesting
import Testing

@Suite("Binding in two phases")
struct TwoPhaseBindingTests {
    private let phone = JourneyPhone()

    /// Binds in a journey that the server ends with `answers`.
    private func offer(_ answers: ScriptedServer.Answer...) async throws -> (any Node, keyID: String) {
        let (callback, node) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        _ = try await callback.bind().get()
        let keyID = try SentMessage(server: callback).keyID
        for answer in answers { phone.server.script(answer) }
        var end = await node.next()
        while let step = end as? ContinueNode { end = await step.next() }
        return (end, keyID)
    }

    private func keyCount() async throws -> Int { try await phone.possessions().keys }

    @Test("A key signs once its journey succeeds, and replaces the previous key once it has proved itself")
    func success() async throws {
        let old = try await phone.bind().kid
        #expect(try await phone.sign() == old)
        let new = try await phone.bind().kid
        #expect(new != old)
        #expect(try await keyCount() == 2)
        #expect(try await phone.sign() == new)
        #expect(try await keyCount() == 1)
        #expect(try await phone.keys().map(\.kid) == [new])
    }

    @Test("When the server refuses the journey, at any step, the new key is deleted", arguments: [true, false])
    func refused(isImmediate: Bool) async throws {
        let old = try await phone.bind().kid
        let (end, _) = isImmediate ? try await offer(.refusal) : try await offer(.ask(), .refusal)
        #expect(end is ErrorNode)
        #expect(try await keyCount() == 1)
        #expect(try await phone.sign() == old)
    }

    @Test("A key whose journey got no answer signs only if there is no other key", arguments: [true, false])
    func lost(isAnswerLost: Bool) async throws {
        let answer: ScriptedServer.Answer = isAnswerLost ? .lost : .failure
        let (end, first) = try await offer(answer)
        #expect(end is FailureNode)
        #expect(try await phone.sign(.refusal) == first)
        let known = try await phone.bind().kid
        #expect(try await phone.sign() == known)
        #expect(try await keyCount() == 1)
        _ = try await offer(answer)
        #expect(try await keyCount() == 2)
        #expect(try await phone.sign() == known)
    }

    @Test("A key that the server refuses before it has proved itself ranks behind the previous key")
    func doubted() async throws {
        let old = try await phone.bind().kid
        try await phone.sign()
        let new = try await phone.bind().kid
        #expect(try await phone.sign(.refusal) == new)
        #expect(try await phone.sign(.refusal) == old)
        #expect(try await phone.sign() == old)
        // A missing answer proves nothing about the key.
        let third = try await phone.bind().kid
        #expect(try await phone.sign(.lost) == third)
        #expect(try await phone.sign() == third)
        #expect(try await keyCount() == 1)
    }

    @Test("A key that was bound and has signed in one journey has proved itself")
    func boundAndSigned() async throws {
        let (end, keyID) = try await offer(.ask(Callbacks.signing()), .success)
        // The second callback was not answered.
        #expect(end is SuccessNode)
        #expect(try await phone.keys().map(\.kid) == [keyID])
        let (callback, node) = try await phone.callback(Callbacks.binding(user: "bob"), as: DeviceBindingCallback.self)
        _ = try await callback.bind().get()
        phone.server.script(.ask(Callbacks.signing(user: "bob")), .success)
        let step = try #require(await node.next() as? ContinueNode)
        _ = try await (step.callbacks.first as? DeviceSigningVerifierCallback)?.sign().get()
        #expect(await step.next() is SuccessNode)
        #expect(try await keyCount() == 2)
    }

    @Test("A signature proves no key if the journey then asks for another authentication, and the previous key stays")
    func provedByAnotherWay() async throws {
        let old = try await phone.bind().kid
        try await phone.sign()
        let new = try await phone.bind().kid
        let (callback, node) = try await phone.callback(
            Callbacks.signing(), as: DeviceSigningVerifierCallback.self)
        _ = try await callback.sign().get()
        phone.server.script(.ask(), .success)
        let step = try #require(await node.next() as? ContinueNode)
        #expect(await step.next() is SuccessNode)
        #expect(try await keyCount() == 2)
        #expect(Set(try await phone.keys().map(\.kid)).isSuperset(of: [new]))
        #expect(try await phone.sign() == new)
        #expect(try await keyCount() == 1)
        #expect(old != new)
    }

    @Test("A key that was never sent does not count, and the next binding deletes it")
    func abandoned() async throws {
        let (callback, _) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        _ = try await callback.bind().get()
        #expect(try await phone.keys().isEmpty)
        let (signing, _) = try await phone.callback(Callbacks.signing(), as: DeviceSigningVerifierCallback.self)
        let status = await #expect(throws: DeviceBindingStatus.self) { _ = try await signing.sign().get() }
        #expect(status == .clientNotRegistered)
        try await phone.bind()
        #expect(try await keyCount() == 1)
    }

    @Test("The next binding, of any user, deletes the leftovers of a crashed binding")
    func crashed() async throws {
        phone.person.type(.pin("295038"))
        let (callback, _) = try await phone.callback(
            Callbacks.binding("APPLICATION_PIN", user: "alice"), as: DeviceBindingCallback.self)
        _ = try await callback.bind().get()
        #expect(try await phone.possessions() == JourneyPhone.Possessions(keys: 1, vaults: 1))
        phone.restart()
        let key = try await phone.bind(user: "bob").kid
        #expect(try await phone.possessions() == JourneyPhone.Possessions(keys: 1))
        #expect(try await phone.sign(user: "bob") == key)
    }

    @Test("A binding in progress is not taken for the leftovers of a crash")
    func underWay() async throws {
        let (callback, node) = try await phone.callback(
            Callbacks.binding(user: "alice"), as: DeviceBindingCallback.self)
        _ = try await callback.bind().get()
        try await phone.bind(user: "bob")
        phone.server.script(.success)
        #expect(await node.next() is SuccessNode)
        #expect(Set(try await phone.keys().map(\.userId)) == ["alice", "bob"])
        #expect(try await keyCount() == 2)
    }

    @Test("A key that another call has deleted is not sent")
    func superseded() async throws {
        let (callback, node) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        _ = try await callback.bind().get()
        let (other, second) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        _ = try await other.bind().get()
        let sent = phone.server.requests.count
        let failure = try #require(await node.next() as? FailureNode)
        #expect(failure.cause as? JourneyError == .keySuperseded)
        #expect(phone.server.requests.count == sent)
        phone.server.script(.success)
        #expect(await second.next() is SuccessNode)
        #expect(try await keyCount() == 1)
    }

    @Test("If a user binds twice at the same time, one binding fails and leaves nothing")
    func overtaken() async throws {
        let (callback, _) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        let (other, node) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        phone.interruptNextKey { await other.bind() }
        let status = await #expect(throws: DeviceBindingStatus.self) { _ = try await callback.bind().get() }
        #expect(status == .abort)
        #expect(callback.failure == .superseded)
        #expect(try await keyCount() == 1)
        phone.server.script(.success)
        #expect(await node.next() is SuccessNode)
        try await phone.sign()
    }

    @Test("Keys of different users, realms and servers are independent")
    func owners() async throws {
        let alice = try await phone.bind(user: "alice").kid
        let bob = try await phone.bind(user: "bob").kid
        #expect(try await phone.sign(user: "alice") == alice)
        #expect(try await phone.sign(user: "bob") == bob)
        for journey in [phone.journey(realm: "beta"), phone.journey { $0.serverUrl = "https://other.example.com/am" }] {
            #expect(try await journey.userKeys?.getAllKeys() == [])
            phone.server.script(.ask(Callbacks.signing(user: "alice")))
            let node = try #require(await journey.start("Sign") as? ContinueNode)
            let callback = try #require(node.callbacks.first as? DeviceSigningVerifierCallback)
            let status = await #expect(throws: DeviceBindingStatus.self) { _ = try await callback.sign().get() }
            #expect(status == .clientNotRegistered)
            try await journey.userKeys?.deleteAllKeys()
        }
        #expect(try await phone.keys().map(\.userId) == ["alice", "bob"])
    }

    @Test("A key that cannot be deleted is reported, and does not prevent signing or binding")
    func stuck() async throws {
        try await phone.bind("BIOMETRIC_ONLY")
        let sensor = try #require(phone.allKeyrings.first)
        sensor.failKeyChanges(with: .failed(systemStatus: -50))
        let new = try await phone.bind().kid
        let (callback, node) = try await phone.callback(Callbacks.signing(), as: DeviceSigningVerifierCallback.self)
        _ = try await callback.sign().get()
        phone.server.script(.success)
        let end = try #require(await node.next() as? SuccessNode)
        #expect(end.unsettledDeviceBinding == .biometrics(.failed(systemStatus: -50)))
        #expect(try await phone.keys().map(\.kid) == [new])
        try await phone.bind(user: "bob")
        #expect(try await phone.sign() == new)
        #expect(sensor.keys == [.first])
        sensor.failKeyChanges(with: nil)
        try await phone.bind(user: "carol")
        #expect(sensor.keys.isEmpty)
    }

    @Test("Bindings without an answer leave room for a binding with one")
    func manyLost() async throws {
        for _ in 0..<32 { _ = try await offer(.lost) }
        #expect(try await keyCount() == 32)
        let key = try await phone.bind().kid
        #expect(try await phone.sign() == key)
        #expect(try await keyCount() == 1)
    }

    @Test("Concurrent calls lose none of each other's keys")
    func race() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                let server = ScriptedServer()
                let journey = phone.journey { $0.transport = server }
                group.addTask {
                    server.script(.ask(Callbacks.binding(user: "user \(number)")), .success)
                    let node = try #require(await journey.start("Bind") as? ContinueNode)
                    _ = try await (node.callbacks.first as? DeviceBindingCallback)?.bind().get()
                    #expect(await node.next() is SuccessNode)
                }
            }
            try await group.waitForAll()
        }
        #expect(Set(try await phone.keys().map(\.userId)) == Set((0..<12).map { "user \($0)" }))
        #expect(try await keyCount() == 12)
    }

    @Test("A device keeps 32 keys, and reports when there is no room for another")
    func full() async throws {
        for number in 0..<32 { try await phone.bind(user: "user \(number)") }
        let (callback, _) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        let status = await #expect(throws: DeviceBindingStatus.self) { _ = try await callback.bind().get() }
        #expect(status?.clientError == "Unsupported")
        #expect(callback.failure == .tooManyKeys)
        let list = try #require(phone.journey().userKeys)
        try await list.deleteKey(try #require(try await list.getAllKeys().first))
        try await phone.bind()
    }
}
