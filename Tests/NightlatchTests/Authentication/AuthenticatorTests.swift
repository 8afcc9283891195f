import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Authenticators of a profile")
struct AuthenticatorTests {
    @Test("The PIN exists and is preferred from the registration on, and cannot be removed")
    func pin() async throws {
        let device = SharedDevice()
        let (profile, open) = try await device.register()
        let auth = device.auth(profile)
        #expect(try await auth.authenticators() == [.pin])
        #expect(profile.preferredAuthenticator == .pin)
        await #expect(throws: AuthenticatorError.pinIsAlwaysThere) { try await auth.remove(.pin, from: open) }
        await #expect(throws: AuthenticatorError.pinIsAlwaysThere) { try await auth.setUp(.pin, in: open) }
        try await auth.setUp(.biometrics, in: open)
        await #expect(throws: AuthenticatorError.pinIsAlwaysThere) { try await auth.remove(.pin, from: open) }
        #expect(try await auth.authenticators() == [.pin, .biometrics])
        try await device.profiles.vault(of: profile).unlock(TestPin.right)
    }

    @Test("Biometrics are set up for one profile alone")
    func ofOne() async throws {
        let device = SharedDevice()
        let alice = try await device.register("Alice")
        let bob = try await device.register("Bob").profile
        try await device.auth(alice.profile).setUp(.biometrics, in: alice.open)
        #expect(try await device.auth(bob).authenticators() == [.pin])
        #expect(try await device.profiles.all().map(\.preferredAuthenticator) == [.biometrics, .pin])
    }

    @Test("Setting up biometrics makes them preferred, unless the app decides otherwise", arguments: [true, false])
    func preference(isPreferred: Bool) async throws {
        let device = SharedDevice()
        let (profile, open) = try await device.register()
        try await device.auth(profile).setUp(.biometrics, in: open, preferring: isPreferred)
        let preferred = try await device.profiles.profile(profile.id)?.preferredAuthenticator
        #expect(preferred == (isPreferred ? .biometrics : .pin))
    }

    @Test("Removed biometrics leave no key, and the PIN is asked for again")
    func remove() async throws {
        let device = SharedDevice()
        let profile = try await device.registerWithBiometrics()
        let person = ScriptedPerson(entering: [.pin(TestPin.right)])
        let auth = device.auth(profile, person)
        let open = try await device.profiles.vault(of: profile).unlock(TestPin.right)
        try await auth.remove(.biometrics, from: open)
        #expect(try await auth.authenticators() == [.pin])
        #expect(try await device.profiles.profile(profile.id)?.preferredAuthenticator == .pin)
        #expect(try await device.possessions() == .init(vaults: 1))
        #expect(try await auth.unlock(reason: "Show the balance").ending == .unlocked(.pin))
        try await auth.remove(.biometrics, from: open)
    }

    @Test("An error of the keyring or the vault is reported, and the preference stays", arguments: [true, false])
    func failures(isLocked: Bool) async throws {
        let device = SharedDevice()
        let (profile, open) = try await device.register()
        if isLocked { await open.lock() } else { device.biometrics(of: profile.id).set(.notEnrolled) }
        let failure: AuthenticatorError = isLocked ? .vault(.locked) : .biometrics(.unavailable(.notEnrolled))
        await #expect(throws: failure) {
            try await device.auth(profile).setUp(.biometrics, in: open)
        }
        #expect(try await device.profiles.all() == [profile])
    }

    @Test("A preference that cannot be written is reported, although biometrics are set up")
    func unwrittenPreference() async throws {
        let device = SharedDevice()
        let (profile, open) = try await device.register()
        device.registry.repair()
        try await open.setUpBiometrics()
        device.registry.fail(at: device.registry.callCount, .before)
        await #expect(throws: AuthenticatorError.preference(RegistryError(.profiles, StoreError(.unavailable)))) {
            try await device.auth(profile).setUp(.biometrics, in: open)
        }
        device.registry.repair()
        #expect(try await device.auth(profile).authenticators() == [.pin, .biometrics])
    }
}
