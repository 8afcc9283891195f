import Nightlatch
import NightlatchJourney
import NightlatchTesting
import Testing

@Suite("Single sending of steps that use keys")
struct SentStepTests {
    private let phone = JourneyPhone()

    @Test(
        "A step that binds is not sent twice, so a refusal of a second answer costs no key", arguments: [true, false])
    func sentTwice(isFirstAnswerLost: Bool) async throws {
        let (callback, node) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        _ = try await callback.bind().get()
        let keyID = try SentMessage(server: callback).keyID
        phone.server.script(isFirstAnswerLost ? .lost : .success)
        _ = await node.next()
        let again = try #require(await node.next() as? FailureNode)
        #expect(again.cause as? JourneyError == .alreadyAnswered)
        #expect(try await phone.keys().map(\.kid) == [keyID])
    }

    @Test("A step after one that binds is not sent twice either, so a refusal of a second answer costs no key")
    func sentTwiceAfterwards() async throws {
        let (callback, node) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        _ = try await callback.bind().get()
        let keyID = try SentMessage(server: callback).keyID
        phone.server.script(.ask(), .success, .refusal)
        let page = try #require(await node.next() as? ContinueNode)
        #expect(await page.next() is SuccessNode)
        let again = try #require(await page.next() as? FailureNode)
        #expect(again.cause as? JourneyError == .alreadyAnswered)
        #expect(try await phone.keys().map(\.kid) == [keyID])
    }

    @Test("A step after one that signs is not sent twice either, so a refusal of a second answer costs no trust")
    func sentTwiceAfterSignature() async throws {
        let old = try await phone.bind().kid
        try await phone.sign()
        let new = try await phone.bind().kid
        let (callback, node) = try await phone.callback(Callbacks.signing(), as: DeviceSigningVerifierCallback.self)
        _ = try await callback.sign().get()
        phone.server.script(.ask(), .success, .refusal)
        let page = try #require(await node.next() as? ContinueNode)
        #expect(await page.next() is SuccessNode)
        let again = try #require(await page.next() as? FailureNode)
        #expect(again.cause as? JourneyError == .alreadyAnswered)
        phone.server.endScript()
        #expect(try await phone.sign() == new)
        #expect(old != new)
    }

    @Test("A step that binds is sent again unchanged after the server was too busy, and its key is bound")
    func busy() async throws {
        let (callback, node) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        _ = try await callback.bind().get()
        let keyID = try SentMessage(server: callback).keyID
        phone.server.script(.busy, .busyInWords, .success)
        for _ in 0..<2 {
            let failure = try #require(await node.next() as? FailureNode)
            #expect(failure.cause as? JourneyError == .serverFailed(status: 429))
        }
        let sent = phone.server.lastBody
        #expect(await node.next() is SuccessNode)
        #expect(phone.server.lastBody == sent)
        #expect(try await phone.keys().map(\.kid) == [keyID])
        let again = try #require(await node.next() as? FailureNode)
        #expect(again.cause as? JourneyError == .alreadyAnswered)
    }

    @Test("After the server was too busy, the step may contain another key, and only that key counts as bound")
    func busyThenAnother() async throws {
        let (callback, node) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        _ = try await callback.bind().get()
        phone.server.script(.busy, .success)
        _ = await node.next()
        _ = try await callback.bind().get()
        let keyID = try SentMessage(server: callback).keyID
        #expect(await node.next() is SuccessNode)
        #expect(try await phone.keys().map(\.kid) == [keyID])
        #expect(try await phone.sign(.refusal) == keyID)
        // The server never received the first key, so it does not come before this one.
        #expect(try await phone.sign() == keyID)
        #expect(try await phone.possessions().keys == 1)
    }

    @Test("A key does not count as bound while its step was refused as too busy and not sent again")
    func busyAndGivenUp() async throws {
        let (callback, node) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        _ = try await callback.bind().get()
        phone.server.script(.busy)
        _ = await node.next()
        #expect(try await phone.keys().isEmpty)
        phone.server.endScript()
        let keyID = try await phone.bind().kid
        #expect(try await phone.keys().map(\.kid) == [keyID])
        #expect(try await phone.possessions().keys == 1)
    }

    @Test("A step that was not sent because the list of keys could not be written is sent when it can be")
    func notSent() async throws {
        let (callback, node) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        _ = try await callback.bind().get()
        let keyID = try SentMessage(server: callback).keyID
        let sent = phone.server.requests.count
        phone.registry.repair()
        phone.registry.fail(at: 0, .before)
        let failure = try #require(await node.next() as? FailureNode)
        guard case .keyRegistry? = failure.cause as? JourneyError else {
            Issue.record("\(failure.cause)")
            return
        }
        #expect(phone.server.requests.count == sent)
        phone.registry.repair()
        phone.server.script(.success)
        #expect(await node.next() is SuccessNode)
        #expect(try await phone.keys().map(\.kid) == [keyID])
    }

    @Test("A signature is sent again after the server was too busy, and proves its key")
    func busySignature() async throws {
        try await phone.bind()
        try await phone.sign()
        let new = try await phone.bind().kid
        let (callback, node) = try await phone.callback(Callbacks.signing(), as: DeviceSigningVerifierCallback.self)
        _ = try await callback.sign().get()
        phone.server.script(.busy, .success)
        #expect(await node.next() is FailureNode)
        #expect(await node.next() is SuccessNode)
        #expect(try await phone.possessions().keys == 1)
        #expect(try await phone.keys().map(\.kid) == [new])
    }
}
