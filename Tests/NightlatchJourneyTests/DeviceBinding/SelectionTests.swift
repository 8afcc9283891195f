import Nightlatch
import NightlatchJourney
import NightlatchTesting
import Testing

@Suite("Signing without a user name")
struct SelectionTests {
    private let phone = JourneyPhone()

    private func failure(
        user: String? = nil,
        timeout: Int = 60,
        _ config: (DeviceBindingConfig) -> Void = { _ in }
    ) async throws -> (DeviceBindingStatus, UserKeyError?) {
        let (callback, _) = try await phone.callback(
            Callbacks.signing(user: user, timeout: timeout), as: DeviceSigningVerifierCallback.self)
        let status = try #require(
            await #expect(throws: DeviceBindingStatus.self) { _ = try await callback.sign(config: config).get() })
        return (status, callback.failure)
    }

    @Test("Without a key, the status is that the client is not registered", arguments: [nil, ""] as [String?])
    func none(_ user: String?) async throws {
        let (status, reason) = try await failure(user: user)
        #expect(status.clientError == "ClientNotRegistered")
        #expect(reason == .noKey)
    }

    @Test("A single key signs for its user without a selection", arguments: [nil, ""] as [String?])
    func one(_ user: String?) async throws {
        let key = try await phone.bind()
        let (callback, _) = try await phone.callback(
            Callbacks.signing(user: user), as: DeviceSigningVerifierCallback.self)
        #expect(callback.userId == nil)
        _ = try await callback.sign().get()
        let message = try SentMessage(server: callback)
        #expect(message.keyID == key.kid)
        #expect(message.claims["sub"] as? String == Callbacks.userID)
        #expect(phone.person.offered.isEmpty)
    }

    @Test("Among several keys the user selects one; one key of each user is offered")
    func many() async throws {
        for user in ["alice", "bob"] {
            try await phone.bind(user: user, name: user.uppercased())
            try await phone.bind(user: user, name: user.uppercased())
        }
        phone.person.choose { $0.first { $0.username == "BOB" } }
        let bob = try await phone.sign(user: nil)
        #expect(phone.person.offered.first?.map(\.userId) == ["alice", "bob"])
        #expect(try await phone.keys().last?.kid == bob)
    }

    @Test("A call's selector is asked before the environment's")
    func selector() async throws {
        for user in ["alice", "bob"] { try await phone.bind(user: user) }
        let (callback, _) = try await phone.callback(
            Callbacks.signing(user: nil), as: DeviceSigningVerifierCallback.self)
        _ = try await callback.sign { $0.userKeySelector = FirstKey() }.get()
        #expect(try SentMessage(server: callback).claims["sub"] as? String == "alice")
        #expect(phone.person.offered.isEmpty)
    }

    @Test("Cancelling, selecting a key that was not offered, and a missing selector have different results")
    func noChoice() async throws {
        for user in ["alice", "bob"] { try await phone.bind(user: user) }
        phone.person.choose { _ in nil }
        #expect(try await failure().0 == .abort)
        let other = JourneyPhone()
        let stranger = try await other.bind(user: "mallory")
        phone.person.choose { _ in stranger }
        #expect(try await failure().0 == .abort)
        let environment = phone.environment(now: { JourneyPhone.start }, userInterface: BindingUserInterface())
        phone.server.script(.ask(Callbacks.signing(user: nil)))
        let node = try #require(
            await phone.journey { $0.deviceBinding = environment }.start("Sign") as? ContinueNode)
        let callback = try #require(node.callbacks.first as? DeviceSigningVerifierCallback)
        let status = await #expect(throws: DeviceBindingStatus.self) { _ = try await callback.sign().get() }
        #expect(status == .unsupported(errorMessage: nil))
    }

    @Test("A selection that never ends is stopped by the callback's timeout")
    func timeout() async throws {
        for user in ["alice", "bob"] { try await phone.bind(user: user) }
        let clock = phone.clock
        let (status, _) = try await failure(timeout: 10) {
            $0.userKeySelector = NeverKey { clock.advance(by: .seconds(10)) }
        }
        #expect(status == .timeout)
    }

    @Test("For a user without a key, no other user's key signs")
    func unknownUser() async throws {
        try await phone.bind(user: "alice")
        let (status, reason) = try await failure(user: "bob")
        #expect(status.clientError == "ClientNotRegistered")
        #expect(reason == .noKey)
        #expect(phone.person.offered.isEmpty)
    }

    enum Damage: CaseIterable {
        case unavailable, cut, otherRevision, spaces, newer
    }

    @Test("A registry that cannot be read is an error, and never an empty list", arguments: Damage.allCases)
    func unreadable(_ damage: Damage) async throws {
        try await phone.bind()
        let stored = try #require(try await phone.registry.read())
        let text = String(decoding: stored.bytes, as: UTF8.self)
        let next = stored.revision + 1
        let rightRevision = text.replacing(#""revision":\#(stored.revision)"#, with: #""revision":\#(next)"#)
        let (planted, expected): (String?, RegistryError) =
            switch damage {
            case .unavailable: (nil, RegistryError(.userKeys, StoreError(.unavailable)))
            case .cut: (String(rightRevision.dropLast()), RegistryError(.userKeys, .corrupt))
            case .otherRevision: (text, RegistryError(.userKeys, .corrupt))
            case .spaces: (rightRevision + " ", RegistryError(.userKeys, .corrupt))
            case .newer:
                (
                    rightRevision.replacing(#""format":1"#, with: #""format":2"#),
                    RegistryError(.userKeys, .newerFormat(found: 2, newestKnown: 1))
                )
            }
        if let planted {
            try await phone.registry.replace(
                StoredRecord(revision: next, bytes: Array(planted.utf8)), expecting: stored.revision)
        } else {
            phone.registry.fail(at: 0, .before)
        }
        await #expect(throws: UserKeyError.registry(expected)) { _ = try await phone.keys() }
        let (status, reason) = try await failure()
        #expect(status.clientError == "Unsupported")
        #expect(reason == .registry(expected))
        let (callback, _) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        await callback.bind()
        #expect(callback.failure == .registry(expected))
    }
}

private class FirstKey: UserKeySelector {
    func selectKey(userKeys: [UserKey], prompt: Prompt) async -> UserKey? { userKeys.first }
}

/// Waits without end, even when it is cancelled.
private struct NeverKey: UserKeySelector {
    let act: @Sendable () -> Void

    func selectKey(userKeys: [UserKey], prompt: Prompt) async -> UserKey? {
        act()
        return await Task {
            let (nothing, end) = AsyncStream<Void>.makeStream()
            for await _ in nothing {}
            end.finish()
            return nil
        }.value
    }
}
