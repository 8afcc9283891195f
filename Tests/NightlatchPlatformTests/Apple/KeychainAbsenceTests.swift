import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

/// A Keychain that answers `errSecItemNotFound` for an item that exists, as real ones sometimes do.
@Suite("A single errSecItemNotFound for an item that exists")
struct KeychainAbsenceTests {
    enum Operation: CaseIterable {
        case register, resume, unlock, changePin, deregister
    }

    private struct Scene {
        let device = AppleDevice()
        let alice: Profile
        let bob: Profile

        init() async throws {
            let alice = try await Self.register("Alice", on: device)
            let profiles = Self.profiles(of: device)
            let keys = profiles.deviceKeys(of: alice.id)
            _ = try await keys.create(KeyTag.random(), access: .unattended)
            self.alice = alice
            bob = try await Self.register("Bob", on: device)
        }

        static func profiles(of device: AppleDevice) -> Profiles {
            Profiles(
                registry: KeychainStore(service: "app", account: "profiles", calls: device.keychain.calls),
                deviceKeys: device.keys
            ) { profile in
                Vault(
                    store: KeychainStore(service: "app", account: "vault.\(profile.id)", calls: device.keychain.calls),
                    clock: ManualClock(),
                    configuration: VaultConfiguration(
                        keyDerivation: .cheap, keyDerivationBounds: .forTests))
            }
        }

        @discardableResult
        static func register(_ name: String, on device: AppleDevice) async throws -> Profile {
            let outcome = try await profiles(of: device).register(
                ProfileName(unchecked: name), prompt: ScriptedPerson(creating: [.pin("482915")]))
            guard case .registered(let profile, _) = outcome else { throw StoreError(.unavailable) }
            return profile
        }

        var profiles: Profiles { Self.profiles(of: device) }

        func auth(_ person: ScriptedPerson) -> LocalAuthService {
            LocalAuthService(profile: alice.id, in: profiles, prompt: person)
        }

        func run(_ operation: Operation) async throws {
            switch operation {
            case .register: try await Self.register("Carol", on: device)
            case .resume: _ = try await profiles.resume()
            case .unlock:
                _ = try await auth(ScriptedPerson(entering: [.pin("482915"), .cancel])).unlock(reason: "Pay")
            case .changePin:
                let person = ScriptedPerson(entering: [.pin("482915"), .cancel], creating: [.pin("739104"), .cancel])
                _ = try await auth(person).changePin()
            case .deregister: try await profiles.deregister(alice.id)
            }
        }
    }

    private func pin(_ digits: String) throws -> Pin { try Pin(digits: SecretBytes(copying: Array(digits.utf8))) }

    @Test("At any call, this answer loses no vault, key or profile", arguments: Operation.allCases)
    func nothingIsLost(operation: Operation) async throws {
        let rehearsal = try await Scene()
        let before = rehearsal.device.keychain.callCount
        try await rehearsal.run(operation)
        let callCount = rehearsal.device.keychain.callCount - before
        try #require(callCount > 0)
        for call in 0..<callCount {
            let scene = try await Scene()
            let keychain = scene.device.keychain
            keychain.failOnce(call: call, .before(.itemNotFound))
            var hasFailed = false
            do {
                try await scene.run(operation)
            } catch {
                hasFailed = true
            }
            keychain.repair()
            _ = try await scene.profiles.resume()

            let listed = try await scene.profiles.all()
            #expect(listed.contains { $0.id == scene.bob.id }, "call \(call)")
            func items(_ prefix: String) -> Int { keychain.items.count { $0.account.hasPrefix(prefix) } }
            if operation == .deregister {
                #expect(hasFailed || !listed.contains { $0.id == scene.alice.id }, "call \(call)")
                try await scene.profiles.deregister(scene.alice.id)
                #expect(items("vault.") == 1 && items("device-key.") == 0, "call \(call): something is left")
                continue
            }
            let alice = try #require(try await scene.profiles.profile(scene.alice.id), "call \(call)")
            var openedCount = 0
            for digits in ["482915", "739104"] {
                do {
                    _ = try await scene.profiles.vault(of: alice).unlock(with: try pin(digits))
                    openedCount += 1
                } catch UnlockError.refused {}
            }
            #expect(openedCount == 1, "call \(call): \(openedCount) PINs open it")
            #expect(items("device-key.") == 1, "call \(call)")
            #expect(items("vault.") == listed.count, "call \(call)")
        }
    }
}
