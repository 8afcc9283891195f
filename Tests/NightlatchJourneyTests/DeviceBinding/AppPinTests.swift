import Foundation
import Nightlatch
import NightlatchJourney
import NightlatchTesting
import Testing

@Suite("Application PIN")
struct AppPinTests {
    private let phone = JourneyPhone()

    private func bound() async throws {
        phone.person.type(.pin("295038"))
        try await phone.bind("APPLICATION_PIN")
    }

    /// Signs once, and expects an error.
    private func failure(
        on phone: JourneyPhone,
        timeout: Int = 60,
        _ config: (DeviceBindingConfig) -> Void = { _ in }
    ) async throws -> (status: DeviceBindingStatus, reason: UserKeyError?) {
        let (callback, _) = try await phone.callback(
            Callbacks.signing(timeout: timeout), as: DeviceSigningVerifierCallback.self)
        let status = try #require(
            await #expect(throws: DeviceBindingStatus.self) { _ = try await callback.sign(config: config).get() })
        return (status, callback.failure)
    }

    @Test("After a wrong PIN the same call says so and asks again, and the right PIN signs")
    func retry() async throws {
        try await bound()
        phone.person.type(.pin("111222"), .pin("12"), .pin("295038"))
        try await phone.sign()
        #expect(
            phone.person.prompts.map(\.description) == [
                "Please complete with biometric to proceed", "Please complete with biometric to proceed",
                "Wrong PIN. 9 attempts left.", "A PIN has 4 to 12 digits.",
            ])
        #expect(phone.person.prompts.allSatisfy { $0.title == "Authentication required" })
    }

    @Test("A call asks as often as the app configures, and reports the wrong PIN", arguments: 1...2)
    func retries(_ count: Int) async throws {
        try await bound()
        for _ in 0..<5 { phone.person.type(.pin("860527")) }
        let (status, reason) = try await failure(on: phone) {
            $0.deviceAuthenticator = AppPinAuthenticator(config: AppPinConfig(pinRetry: count))
        }
        #expect(status == .unAuthorize)
        #expect(status.clientError == "Abort")
        #expect(reason == .wrongPin(triesLeft: 10 - count))
        #expect(phone.person.prompts.count == 1 + count)
    }

    @Test("Wrong PINs are counted across calls: first there is a wait, and at the limit the key is lost for good")
    func lockout() async throws {
        let phone = JourneyPhone(lockoutPolicy: .payment)
        phone.person.type(.pin("295038"))
        try await phone.bind("APPLICATION_PIN")
        for _ in 0..<3 { phone.person.type(.pin("860527")) }
        // A wait follows the third wrong PIN, although the app allows more retries.
        var (status, reason) = try await failure(on: phone) {
            $0.authenticatorConfig = AppPinConfig(pinRetry: 9)
        }
        #expect(reason == .wrongPin(triesLeft: 2))
        (status, reason) = try await failure(on: phone)
        #expect(status == .unAuthorize)
        #expect(reason == .pinWaiting(.seconds(30)))
        #expect(phone.person.prompts.count == 4)
        for expected: UserKeyError in [.wrongPin(triesLeft: 1), .pinBlocked] {
            phone.clock.advance(by: .seconds(3600))
            phone.person.type(.pin("860527"))
            (status, reason) = try await failure(on: phone)
            #expect(reason == expected)
        }
        #expect(status == .clientNotRegistered)
        phone.clock.advance(by: .seconds(36000))
        phone.person.type(.pin("295038"))
        (status, reason) = try await failure(on: phone)
        #expect(reason == .pinBlocked)
        #expect(status.clientError == "ClientNotRegistered")
        // A new binding restores access.
        try await phone.bind("APPLICATION_PIN")
        phone.person.type(.pin("295038"))
        try await phone.sign()
        #expect(try await phone.possessions() == JourneyPhone.Possessions(keys: 1, vaults: 1))
    }

    @Test("A PIN that the policy refuses is asked for again, and cancelling creates nothing")
    func newPin() async throws {
        phone.person.type(.pin("1234"), .pin("abc"), .pin("29503"))
        try await phone.bind("APPLICATION_PIN")
        #expect(
            phone.person.prompts.map(\.description).suffix(2) == [
                "This PIN is too easy to guess. Choose another.", "A PIN has 4 to 12 digits.",
            ])
        let before = try await phone.possessions()
        for (typing, expected, reason): ([ScriptedScreen.Typing], DeviceBindingStatus, UserKeyError) in [
            ([.cancel], .abort, .cancelled), ([.pin("1111"), .cancel], .abort, .cancelled),
            ([.pin("1"), .pin("1"), .pin("1")], .unAuthorize, .noPin(.length(allowed: 4...12))),
        ] {
            for typing in typing { phone.person.type(typing) }
            let (callback, _) = try await phone.callback(
                Callbacks.binding("APPLICATION_PIN"), as: DeviceBindingCallback.self)
            let status = await #expect(throws: DeviceBindingStatus.self) { _ = try await callback.bind().get() }
            #expect(status == expected)
            #expect(callback.failure == reason)
            #expect(try await phone.possessions() == before)
        }
    }

    @Test("A PIN may be typed in the digits of any script")
    func digits() async throws {
        try await bound()
        phone.person.type(.pin("٢٩٥٠٣٨"))
        try await phone.sign()
        phone.person.type(.pin("２９５０３８"))
        try await phone.sign()
    }

    @Test("The call's collector comes first, then the authenticator's, then the environment's")
    func collectors() async throws {
        try await bound()
        let (first, second) = (NotingCollector(answer: "295038"), NotingCollector(answer: "295038"))
        let (callback, _) = try await phone.callback(Callbacks.signing(), as: DeviceSigningVerifierCallback.self)
        let prompt = Prompt(title: "Enter PIN", subtitle: "Security", description: "Your PIN")
        _ = try await callback.sign {
            $0.deviceAuthenticator = AppPinAuthenticator(config: AppPinConfig(prompt: prompt, pinCollector: second))
        }.get()
        #expect(second.prompts == [prompt])
        _ = try await callback.sign {
            $0.deviceAuthenticator = AppPinAuthenticator(config: AppPinConfig(prompt: prompt, pinCollector: second))
            $0.pinCollector = first
        }.get()
        #expect(first.prompts == [prompt])
        #expect(second.prompts == [prompt])
        #expect(phone.person.prompts.count == 1)
    }

    @Test("The authenticator's logger gets the error, and no secret")
    func logger() async throws {
        try await bound()
        let logger = NotingLogger()
        phone.person.type(.pin("860527"))
        _ = try await failure(on: phone) {
            $0.authenticatorConfig = AppPinConfig(logger: logger, pinRetry: 1)
        }
        #expect(logger.lines.withLock { $0 } == ["the device did not sign: Invalid Credentials"])
    }

    @Test(
        "The callback's timeout ends a call when the user does not answer, and charges no attempt",
        arguments: [true, false])
    func timeout(isCollectorsOwn: Bool) async throws {
        try await bound()
        let clock = phone.clock
        let (status, reason) = try await failure(on: phone, timeout: 20) { config in
            if isCollectorsOwn {
                config.pinCollector = NotingCollector(answer: nil, isSilent: true) { clock.advance(by: .seconds(20)) }
            } else {
                phone.person.type(.silence { clock.advance(by: .seconds(20)) })
            }
        }
        #expect(status == .timeout)
        #expect(status.clientError == "Timeout")
        #expect(reason == .timedOut)
        phone.person.type(.pin("860527"), .cancel)
        #expect(try await failure(on: phone).reason == .cancelled)
        #expect(phone.person.prompts.last?.description == "Wrong PIN. 9 attempts left.")
    }

    @Test("A PIN that arrives after the callback's timeout is not tested")
    func late() async throws {
        try await bound()
        let clock = phone.clock
        let (status, _) = try await failure(on: phone, timeout: 20) {
            $0.pinCollector = NotingCollector(answer: "860527") { clock.advance(by: .seconds(21)) }
        }
        #expect(status == .timeout)
        for _ in 0..<3 { phone.person.type(.pin("860527")) }
        #expect(try await failure(on: phone).reason == .wrongPin(triesLeft: 7))
    }

    @Test("Cancelling the task that waits for the user ends the call with a status")
    func cancelledTask() async throws {
        try await bound()
        let (callback, _) = try await phone.callback(Callbacks.signing(), as: DeviceSigningVerifierCallback.self)
        let (asked, ask) = AsyncStream<Void>.makeStream()
        phone.person.type(.silence { ask.finish() })
        let task = Task { () -> DeviceBindingStatus? in
            guard case .failure(let error) = await callback.sign() else { return nil }
            return error as? DeviceBindingStatus
        }
        for await _ in asked {}
        task.cancel()
        #expect(await task.value == .abort)
    }

    @Test("Without a way to ask for a PIN, the status is unsupported and not cancelled")
    func nobody() async throws {
        try await bound()
        let environment = phone.environment(now: { JourneyPhone.start }, userInterface: BindingUserInterface())
        let journey = phone.journey { $0.deviceBinding = environment }
        phone.server.script(.ask(Callbacks.signing()))
        let node = try #require(await journey.start("Sign") as? ContinueNode)
        let callback = try #require(node.callbacks.first as? DeviceSigningVerifierCallback)
        let status = await #expect(throws: DeviceBindingStatus.self) { _ = try await callback.sign().get() }
        #expect(status == .unsupported(errorMessage: nil))
    }
}

/// A collector that records its prompts.
private final class NotingCollector: PinCollector {
    private let answer: String?
    private let isSilent: Bool
    private let act: @Sendable () -> Void
    private(set) var prompts: [Prompt] = []

    init(answer: String?, isSilent: Bool = false, act: @escaping @Sendable () -> Void = {}) {
        self.answer = answer
        self.isSilent = isSilent
        self.act = act
    }

    func collectPin(prompt: Prompt, completion: @escaping @Sendable (String?) -> Void) {
        prompts.append(prompt)
        act()
        if !isSilent { completion(answer) }
    }
}

private struct NotingLogger: JourneyLogger {
    let lines = Shared<[String]>([])

    func d(_ message: String) { lines.withLock { $0.append(message) } }
    func i(_ message: String) { lines.withLock { $0.append(message) } }
    func w(_ message: String, error: (any Error)?) {
        lines.withLock { $0.append("\(message): \(error?.localizedDescription ?? "")") }
    }
    func e(_ message: String, error: (any Error)?) { w(message, error: error) }
}
