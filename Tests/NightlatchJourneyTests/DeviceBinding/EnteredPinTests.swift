import Nightlatch
import NightlatchJourney
import NightlatchTesting
import Testing

@Suite("Application PIN, entered on a pad")
struct EnteredPinTests {
    private let phone = JourneyPhone()

    /// Signs once. The user answers with the boxes, one after the other, and cannot type text.
    private func sign(
        answering boxes: [PinBox?]
    ) async throws -> (result: Result<[String: Any], any Error>, asked: [Prompt]) {
        let left = Shared((boxes: boxes, asked: [Prompt]()))
        let interface = BindingUserInterface(
            enterPin: { prompt in
                left.withLock { left in
                    left.asked.append(prompt)
                    return left.boxes.isEmpty ? nil : left.boxes.removeFirst()
                }
            },
            collectPin: { _ in
                Issue.record("asked for a text")
                return nil
            })
        let environment = phone.environment(now: { JourneyPhone.start }, userInterface: interface)
        let journey = phone.journey { $0.deviceBinding = environment }
        phone.server.script(.ask(Callbacks.signing()))
        let node = try #require(await journey.start("Sign") as? ContinueNode)
        let callback = try #require(node.callbacks.first as? DeviceSigningVerifierCallback)
        return (await callback.sign(), left.withLock { $0.asked })
    }

    private func box(_ digits: String) throws -> PinBox {
        PinBox(try Pin(digits: SecretBytes(copying: Array(digits.utf8))))
    }

    private func bind() async throws {
        phone.person.type(.pin("295038"))
        try await phone.bind("APPLICATION_PIN")
    }

    @Test("A PIN in a box signs, and no text is asked for")
    func right() async throws {
        try await bind()
        let (result, asked) = try await sign(answering: [box("860527"), box("295038")])
        _ = try result.get()
        #expect(asked.map(\.description).last == "Wrong PIN. 9 attempts left.")
    }

    @Test("A pad that reports wrong PINs itself gets the number of attempts left, and still shows the server's text")
    func again() async throws {
        try await bind()
        let told = Shared([(prompt: Prompt, triesLeft: Int)]())
        let (wrong, right) = (try box("860527"), try box("295038"))
        let interface = BindingUserInterface(
            enterPin: { _ in wrong },
            enterPinAgain: { prompt, triesLeft in
                told.withLock { $0.append((prompt, triesLeft)) }
                return right
            })
        let environment = phone.environment(now: { JourneyPhone.start }, userInterface: interface)
        let journey = phone.journey { $0.deviceBinding = environment }
        phone.server.script(.ask(Callbacks.signing()))
        let node = try #require(await journey.start("Sign") as? ContinueNode)
        let callback = try #require(node.callbacks.first as? DeviceSigningVerifierCallback)
        _ = try await callback.sign().get()
        let asked = told.withLock { $0 }
        #expect(asked.map(\.triesLeft) == [9] && asked.allSatisfy { !$0.prompt.description.contains("wrong") })
    }

    @Test("A pad that can choose a new PIN gets the vault's policy, and its box binds")
    func chosen() async throws {
        let policies = Shared([PinPolicy]())
        let new = try box("295038")
        let interface = BindingUserInterface(
            enterPin: { _ in
                Issue.record("asked for a PIN that there is")
                return nil
            },
            choosePin: { policy, _ in
                policies.withLock { $0.append(policy) }
                return new
            })
        let environment = phone.environment(now: { JourneyPhone.start }, userInterface: interface)
        let journey = phone.journey { $0.deviceBinding = environment }
        phone.server.script(.ask(Callbacks.binding("APPLICATION_PIN")))
        let node = try #require(await journey.start("Bind") as? ContinueNode)
        let callback = try #require(node.callbacks.first as? DeviceBindingCallback)
        _ = try await callback.bind().get()
        let policy = try PinPolicy(lengths: 4...12)
        #expect(policies.withLock { $0 } == [policy])
    }

    @Test("A missing box cancels, and so does an empty one", arguments: [true, false])
    func cancelled(hasBox: Bool) async throws {
        try await bind()
        let empty = try box("295038")
        _ = empty.take()
        let (result, asked) = try await sign(answering: [hasBox ? empty : nil])
        let status = #expect(throws: DeviceBindingStatus.self) { _ = try result.get() }
        #expect(status == .abort && asked.count == 1)
    }
}
