import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// A store that once fails to find an existing record, at each call of each operation.
@Suite("A single wrong answer that a record does not exist")
struct WrongAbsenceTests {
    enum Operation: CaseIterable {
        case register, resume, unlock, unlockWrongly, changePin, deregister, removeKey
    }

    /// Alice, bound and with a secret and a remembered length, and Bob, who must not be affected.
    private struct Scene {
        let device = SharedDevice()
        let alice: Profile
        let bob: Profile

        init() async throws {
            let (alice, open) = try await device.register()
            try await device.bind(alice.id, in: open)
            try await open.set("seed", named: "wallet")
            (self.alice, bob) = (alice, try await device.register("Bob").profile)
            device.registry.repair()
        }

        func run(_ operation: Operation) async throws {
            switch operation {
            case .register: try await device.register("Carol")
            case .resume: _ = try await device.profiles.resume()
            case .unlock:
                _ = try await device.auth(alice, ScriptedPerson(entering: [.pin(TestPin.right), .cancel]))
                    .unlock(reason: "Pay")
            case .unlockWrongly:
                _ = try await device.auth(alice, ScriptedPerson(entering: [.pin(TestPin.wrong), .cancel]))
                    .unlock(reason: "Pay")
            case .changePin:
                let person = ScriptedPerson(
                    entering: [.pin(TestPin.right), .cancel], creating: [.pin(TestPin.new), .cancel])
                _ = try await device.auth(alice, person).changePin()
            case .deregister: try await device.profiles.deregister(alice.id)
            case .removeKey:
                let keys = device.profiles.deviceKeys(of: alice.id)
                let tag = KeyTag.random()
                _ = try await keys.create(tag, access: .unattended)
                try await keys.remove(tag)
            }
        }
    }

    @Test("If any call of an operation does not find its record, nothing is lost", arguments: Operation.allCases)
    func nothingIsLost(operation: Operation) async throws {
        let rehearsal = try await Scene()
        try await rehearsal.run(operation)
        let callCount = rehearsal.device.registry.callCount
        try #require(callCount > 0)
        for call in 0..<callCount {
            let scene = try await Scene()
            let device = scene.device
            device.registry.missRecord(at: call)
            var hasFailed = false
            do {
                try await scene.run(operation)
            } catch {
                hasFailed = true
            }
            device.registry.repair()
            _ = try await device.profiles.resume()

            let listed = try await device.profiles.all()
            #expect(listed.contains { $0.id == scene.bob.id }, "call \(call)")
            _ = try await device.profiles.vault(of: scene.bob).unlock(TestPin.right)
            if operation == .deregister {
                // The operation is complete or not done, never partly, and never reported as complete when it is not.
                #expect(hasFailed || !listed.contains { $0.id == scene.alice.id }, "call \(call)")
                try await device.profiles.deregister(scene.alice.id)
                #expect(try await device.possessions() == .init(vaults: 1), "call \(call)")
                continue
            }
            let alice = try #require(try await device.profiles.profile(scene.alice.id), "call \(call)")
            var opened: [OpenVault] = []
            for pin in [TestPin.right, TestPin.new] {
                do {
                    opened.append(try await device.profiles.vault(of: alice).unlock(pin))
                } catch UnlockError.refused {}
            }
            #expect(opened.count == 1, "call \(call): \(opened.count) PINs open it")
            #expect(try await opened.first?.text(named: "wallet") == "seed", "call \(call)")
            let keyCount = try await device.possessions().deviceKeys
            #expect(keyCount >= 2, "call \(call)")
            if operation != .removeKey { #expect(keyCount == 2, "call \(call)") }
            let vaultCount = try await device.possessions().vaults
            #expect(vaultCount == listed.count, "call \(call)")
        }
    }
}
