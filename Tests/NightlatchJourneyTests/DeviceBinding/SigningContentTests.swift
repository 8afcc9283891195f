import Foundation
import Nightlatch
import NightlatchJourney
import NightlatchTesting
import Testing

@Suite("Signatures over the content that the user sees")
struct SigningContentTests {
    private let phone = JourneyPhone()
    private let shown = Shared<[SigningContent]>([])

    private static let text = "Pay 100.00 EUR\nto “Night Train”"

    /// Signs `challenge` on a phone that shows the content to sign, and answers as `answer` says.
    private func sign(
        _ challenge: String,
        claims: [String: Any] = [:],
        answer: @escaping @Sendable () async -> Bool
    ) async throws -> (result: Result<[String: Any], any Error>, callback: DeviceSigningVerifierCallback) {
        var interface = phone.person.userInterface
        interface.approveSigning = { [shown] content in
            shown.withLock { $0.append(content) }
            return await answer()
        }
        let environment = phone.environment(userInterface: interface)
        let encoded = challenge.replacingOccurrences(of: "\n", with: "\\n")
        phone.server.script(.ask(Callbacks.signing(challenge: encoded)))
        let node = try #require(
            await phone.journey { $0.deviceBinding = environment }.start("Sign") as? ContinueNode)
        let callback = try #require(node.callbacks.first as? DeviceSigningVerifierCallback)
        return (await callback.sign { $0.claims = claims }, callback)
    }

    @Test(
        "Text and claims are shown before any protection releases the key, and signed as shown",
        arguments: ["NONE", "APPLICATION_PIN", "BIOMETRIC_ONLY"])
    func approved(_ type: String) async throws {
        phone.person.alwaysType("295038")
        let key = try await phone.bind(type)
        let askedBefore = phone.person.prompts.count + phone.allKeyrings.flatMap(\.reasons).count
        let askedMeanwhile = Shared(0)
        let claims: [String: Any] = ["amount": "100.00", "count": 2, "parts": ["a": [1.5]]]
        let (result, callback) = try await sign(Self.text, claims: claims) { [phone] in
            askedMeanwhile.withLock { $0 = phone.person.prompts.count + phone.allKeyrings.flatMap(\.reasons).count }
            return true
        }
        _ = try result.get()
        #expect(askedMeanwhile.withLock { $0 } == askedBefore)
        let content = try #require(shown.withLock { $0 }.first)
        #expect(content.text == Self.text && content.key == key)
        #expect(content.prompt.title == "Authentication required")
        #expect(content.claims.map(\.name) == ["amount", "count", "parts"])
        #expect(content.claims.map(\.value) == ["100.00", "2", #"{"a":[1.5]}"#])
        let message = try SentMessage(server: callback)
        #expect(message.claims["challenge"] as? String == content.text)
        #expect(message.claims["amount"] as? String == "100.00" && message.claims["count"] as? Int == 2)
    }

    @Test("Declining a text cancels: nothing is signed, and no PIN is asked for")
    func declined() async throws {
        phone.person.alwaysType("295038")
        try await phone.bind("APPLICATION_PIN")
        let asked = phone.person.prompts.count
        let (result, callback) = try await sign(Self.text) { false }
        let status = #expect(throws: DeviceBindingStatus.self) { _ = try result.get() }
        #expect(status == .abort)
        #expect(callback.failure == .cancelled)
        #expect(phone.person.prompts.count == asked)
        #expect(throws: SentMessage.Missing.self) { _ = try SentMessage(server: callback) }
    }

    @Test("A text that the user confirms too late is not signed")
    func late() async throws {
        try await phone.bind()
        let clock = phone.clock
        let (result, callback) = try await sign(Self.text) {
            clock.advance(by: .seconds(60))
            return true
        }
        let status = #expect(throws: DeviceBindingStatus.self) { _ = try result.get() }
        #expect(status == .timeout)
        #expect(throws: SentMessage.Missing.self) { _ = try SentMessage(server: callback) }
    }

    @Test("Random bytes are not shown; the app's claims beside them are")
    func random() async throws {
        try await phone.bind()
        _ = try await sign(Callbacks.signingChallenge) { false }.result.get()
        #expect(shown.withLock { $0 }.isEmpty)
        _ = try await sign(Callbacks.signingChallenge, claims: ["amount": "1"]) { true }.result.get()
        let content = try #require(shown.withLock { $0 }.first)
        #expect(content.text == nil && content.claims.map(\.value) == ["1"])
    }

    @Test(
        "A challenge that only resembles random bytes is shown as text",
        arguments: [
            "my-hardcoded-challenge", "gSP9Qx1tIfj7a/ryMwl4jVWOZRkKErMFyQz8KAWtLdo",
            " SP9Qx1tIfj7a/ryMwl4jVWOZRkKErMFyQz8KAWtLdo=",
            "SP9Qx1tIfj7a/ryMwl4jVWOZRkKErMFyQz8KAWtLdo==",
        ])
    func lookalike(_ challenge: String) async throws {
        try await phone.bind()
        _ = try await sign(challenge) { true }.result.get()
        #expect(shown.withLock { $0 }.map(\.text) == [challenge])
    }
}
