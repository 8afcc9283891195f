import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// A store that does not find what is there, once, at each call of each operation.
@Suite("One wrong answer: a record that is there is not found")
struct WrongAbsenceTests {
    enum Operation: CaseIterable {
        case register, resume, unlock, unlockWrongly, changePin, deregister, removeKey
    }

    /// Alice, who is bound, with a secret and a remembered length, beside Bob, who must never notice anything.
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
                guard let keys = device.profiles.deviceKeys(of: alice.id) else { return }
                let tag = KeyTag.random()
                _ = try await keys.create(tag, access: .unattended)
                try await keys.remove(tag)
            }
        }
    }

    @Test(
        "Whichever call of an operation does not find its record, nothing is lost", arguments: Operation.allCases)
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
                // Done, or not done; never done by halves, and never said to be done and not done.
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
