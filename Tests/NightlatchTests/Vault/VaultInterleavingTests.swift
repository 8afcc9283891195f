import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// Two processes use one vault: between any two store calls of the first, the second does all of its work.
@Suite("Two processes of a vault, step by step")
struct VaultInterleavingTests {
    enum Action: CaseIterable {
        case unlock, wrong, changePin, set, remove
        /// A change of PIN that was written and not finished.
        case abandonedChange
    }

    @Test(
        "In any order of calls, nothing is lost, exactly one PIN opens and nothing seems damaged",
        .timeLimit(.minutes(5)), arguments: Action.allCases, Action.allCases)
    func interleave(first: Action, second: Action) async throws {
        var call = 0
        while true {
            let memory = MemoryStore()
            let store = RecordingStore(memory)
            let original = try await Vault.forTests(memory).create(TestPin.right)
            try await original.set("seed", named: "wallet")
            try await original.set("old", named: "token")
            let one = Party(
                store: store, vault: .forTests(store), open: try await Vault.forTests(store).unlock(TestPin.right),
                new: TestPin.new,
                name: "one")
            let two = Party(store: memory, vault: .forTests(memory), open: original, new: TestPin.newest, name: "two")
            let secondError = Shared<(any Error)?>(nil)

            store.interrupt(at: call) {
                let error = await two.run(second)
                secondError.withLock { $0 = error }
            }
            let firstError = await one.run(first)
            guard store.callCount > call else { break }

            let outcomes = [(one, first, firstError), (two, second, secondError.withLock { $0 })]
            try await check(memory, outcomes, "\(first), then \(second) before call \(call)")
            call += 1
        }
        #expect(call >= 2)
    }

    private struct Party: Sendable {
        let store: any SecureStore
        let vault: Vault
        let open: OpenVault
        let new: String
        let name: String

        func run(_ action: Action) async -> (any Error)? {
            do {
                switch action {
                case .unlock: try await vault.unlock(TestPin.right)
                case .wrong: try await vault.unlock(TestPin.wrong)
                case .changePin: try await vault.changePin(TestPin.right, to: new)
                case .abandonedChange:
                    let store = FaultyStore(store)
                    store.fail(at: 4, .after)
                    try await Vault.forTests(store).changePin(TestPin.right, to: new)
                case .set: try await open.set(name, named: name)
                case .remove: try await open.remove([SecretName(unchecked: "token")])
                }
                return nil
            } catch {
                return error
            }
        }
    }

    private func check(
        _ store: MemoryStore,
        _ outcomes: [(party: Party, action: Action, error: (any Error)?)],
        _ situation: Comment
    ) async throws {
        var secrets = ["wallet": "seed", "token": "old"]
        var pin = TestPin.right
        let changes = outcomes.filter { $0.action == .changePin }
        let isContended = outcomes.filter { [.changePin, .abandonedChange].contains($0.action) }.count == 2
        for (party, action, error) in outcomes {
            switch action {
            case .set where error == nil: secrets[party.name] = party.name
            case .remove where error == nil: secrets["token"] = nil
            case .changePin where error == nil: pin = party.new
            case .wrong: #expect(isRefusal(error), situation)
            case .abandonedChange: #expect(error is ChangePinError, situation)
            case .unlock:
                // It can only fail because the PIN was changed.
                #expect(error == nil || !changes.isEmpty && isRefusal(error), situation)
            case .changePin:
                // It can only fail because of another change.
                #expect(isContended && (isRefusal(error) || error as? ChangePinError == .rekey(.superseded)), situation)
            default:
                #expect(error as? VaultError == .superseded && !changes.isEmpty, situation)
            }
        }
        let doneCount = changes.filter { $0.error == nil }.count
        #expect(isContended ? doneCount <= 1 : doneCount == changes.count, situation)
        for candidate in [TestPin.right, TestPin.new, TestPin.newest, TestPin.wrong] {
            let copy = MemoryStore()
            copy.plant(try await store.read())
            let open = try? await Vault.forTests(copy).unlock(candidate)
            #expect((open != nil) == (candidate == pin), situation)
            if let open { #expect(try await open.texts() == secrets, situation) }
        }
    }

    /// Whether the PIN was tested and wrong.
    private func isRefusal(_ error: (any Error)?) -> Bool {
        switch error {
        case UnlockError.refused(.wrong)?, ChangePinError.refused(.wrong)?: true
        default: false
        }
    }
}
