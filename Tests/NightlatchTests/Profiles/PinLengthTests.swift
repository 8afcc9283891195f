import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Length of the PIN")
struct PinLengthTests {
    @Test("The length is written when the registration has succeeded, and exists after a restart")
    func registered() async throws {
        let device = SharedDevice()
        let policy = try PinPolicy(lengths: 4...12)
        let profile = try await device.register(pin: "60583714", policy: policy).profile
        #expect(profile.pinLength == 8)
        #expect(try await device.profiles.profile(profile.id)?.pinLength == 8)
        #expect(try await device.registry.json().written.contains("\"pin_length\":8"))
    }

    @Test("The length is not written during a registration, and never if it fails")
    func failedRegistration() async throws {
        struct Refused: Error {}
        let device = SharedDevice()
        await #expect(throws: RegistrationError<any Error>.self) {
            try await device.profiles.register(
                ProfileName(unchecked: "Alice"), prompt: ScriptedPerson(creating: [.pin(TestPin.right)])
            ) { _, _ in
                #expect(try await device.registry.json().written.contains("registering"))
                #expect(!(try await device.registry.json().written.contains("pin_length\"")))
                throw Refused()
            }
        }
        #expect(!(try await device.registry.json().written.contains("pin_length\"")))
        #expect(try await device.profiles.all().isEmpty)
    }

    @Test("A new policy of the server changes which PINs may be set, not the length that is asked for")
    func newPolicy() async throws {
        let device = SharedDevice()
        let profile = try await device.register().profile
        let policy = try PinPolicy(lengths: 8...8)
        try await device.profiles.setPinPolicy(policy, for: profile.id)
        let changed = try #require(try await device.profiles.profile(profile.id))
        #expect(changed.pinLength == 6)
        #expect(changed.pinPolicy == policy)
        #expect(device.profiles.vault(of: changed).pinPolicy == policy)
        try await device.profiles.vault(of: changed).unlock(TestPin.right)
    }

    @Test("The length is dropped at once when the profile is deregistered, even if the rest fails")
    func deregistered() async throws {
        let device = SharedDevice()
        let profile = try await device.register().profile
        device.registry.fail(at: 2, .before)
        await #expect(throws: DeregistrationError.self) { try await device.profiles.deregister(profile.id) }
        device.registry.repair()
        #expect(!(try await device.registry.json().written.contains("pin_length\"")))
        #expect(try await device.possessions().vaults == 1)
    }

    @Test("The length is written only if the app asks for it, and dropped when the app no longer does")
    func notAsked() async throws {
        let registry = MemoryStore()
        let device = SharedDevice(registry: registry, remembersPinLengths: false)
        let profile = try await device.register().profile
        #expect(profile.pinLength == nil)
        #expect(!(try await registry.json().written.contains("pin_length\"")))

        let before = SharedDevice(registry: MemoryStore())
        let id = try await before.register().profile.id
        let later = Profiles(registry: before.registry, deviceKeys: nil) { profile in
            .forTests(before.vaultStore(of: profile.id))
        }
        #expect(try await later.profile(id)?.pinLength == nil)
        #expect(try await later.resume().isEmpty)
        #expect(!(try await before.registry.json().written.contains("pin_length\"")))
    }
}
