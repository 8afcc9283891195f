import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Profiles")
struct ProfilesTests {
    @Test("Several users of one device each have a vault, a policy and a PIN")
    func several() async throws {
        let device = SharedDevice()
        let long = try PinPolicy(lengths: 8...8)
        let alice = try await device.register("Alice", pin: TestPin.right)
        let bob = try await device.register("Bob", pin: "60583714", policy: long)
        try await alice.open.set("hers", named: "wallet")
        try await bob.open.set("his", named: "wallet")

        let all = try await device.profiles.all()
        #expect(all == [alice.profile, bob.profile])
        #expect(all.map(\.name.rawValue) == ["Alice", "Bob"])
        #expect(all.map(\.pinPolicy) == [.default, long])
        #expect(all.map(\.pinLength) == [6, 8])
        let hers = try await device.profiles.vault(of: all[0]).unlock(TestPin.right)
        #expect(try await hers.texts() == ["wallet": "hers"])
        let his = try await device.profiles.vault(of: all[1]).unlock("60583714")
        #expect(try await his.texts() == ["wallet": "his"])
        await #expect(throws: UnlockError.self) { try await device.profiles.vault(of: all[1]).unlock(TestPin.right) }
        #expect(try await device.profiles.vault(of: all[0]).state() == .ready(triesLeft: 10))
        #expect(try await device.profiles.vault(of: all[1]).state() == .ready(triesLeft: 9))
    }

    @Test("Name, policy and preference belong to one profile and survive the end of the app")
    func settings() async throws {
        let device = SharedDevice()
        let alice = try await device.register("Alice").profile
        let bob = try await device.register("Bob").profile
        let long = try PinPolicy(lengths: 8...10)
        try await device.profiles.rename(alice.id, to: ProfileName(unchecked: "Alicia"))
        try await device.profiles.setPinPolicy(long, for: alice.id)
        try await device.profiles.setPreferredAuthenticator(.biometrics, for: alice.id)
        let found = try #require(try await device.profiles.profile(alice.id))
        #expect(found.name.rawValue == "Alicia")
        #expect(found.pinPolicy == long)
        #expect(found.preferredAuthenticator == .biometrics)
        #expect(try await device.profiles.profile(bob.id) == bob)
        #expect(try await device.profiles.all() == [found, bob])
    }

    @Test("A missing profile cannot be changed, and deregistering it is no error")
    func unknown() async throws {
        let device = SharedDevice()
        try await device.register()
        let before = try await device.registry.read()
        let id = ProfileID.random()
        #expect(try await device.profiles.profile(id) == nil)
        await #expect(throws: RegistryError.notRegistered) {
            try await device.profiles.rename(id, to: ProfileName(unchecked: "Nobody"))
        }
        await #expect(throws: RegistryError.notRegistered) { try await device.profiles.setPinPolicy(.default, for: id) }
        await #expect(throws: RegistryError.notRegistered) {
            try await device.profiles.setPreferredAuthenticator(.pin, for: id)
        }
        try await device.profiles.deregister(id)
        #expect(try await device.registry.read() == before)
    }

    @Test("A change without effect writes nothing")
    func unchanged() async throws {
        let device = SharedDevice()
        let alice = try await device.register().profile
        let before = try await device.registry.read()
        try await device.profiles.rename(alice.id, to: alice.name)
        try await device.profiles.setPreferredAuthenticator(.pin, for: alice.id)
        #expect(try await device.profiles.resume().isEmpty)
        #expect(try await device.registry.read() == before)
    }

    @Test("A device has at most 32 profiles; the next one is refused before the user is asked for a PIN")
    func tooMany() async throws {
        let device = SharedDevice()
        for _ in 0..<32 { try await device.register() }
        let person = ScriptedPerson(creating: [.pin(TestPin.right)])
        await #expect(throws: RegistrationError<Never>.tooManyProfiles(limit: 32)) {
            try await device.profiles.register(ProfileName(unchecked: "Bob"), prompt: person)
        }
        #expect(person.creatings.isEmpty)
        #expect(try await device.profiles.all().count == 32)
        #expect(try await device.possessions() == .init(vaults: 32))
    }

    @Test("The fullest possible registry can be read and written")
    func full() async throws {
        let device = SharedDevice()
        let longest = String(repeating: "𝕏", count: 64)
        let profile = try await device.register(longest).profile
        let keys = device.profiles.deviceKeys(of: profile.id)
        for _ in 0..<16 { _ = try await keys.create(.random(), access: .unattended) }
        // The same entry for 32 users, as large as with different keys.
        let json = try await device.registry.json()
        guard case .array(let entries) = json["profiles"], let entry = entries.first else {
            Issue.record("no entries")
            return
        }
        let copies = (0..<31).map { _ in
            var copy = entry
            copy["id"] = .string(ProfileID.random().rawValue)
            return copy
        }
        var full = json
        full["profiles"] = .array([entry] + copies)
        let store = MemoryStore()
        store.plant(StoredRecord(revision: try #require(try await device.registry.read()).revision, bytes: full.bytes))

        let profiles = Profiles(registry: store, deviceKeys: nil, remembersPinLengths: true) { profile in
            .forTests(device.vaultStore(of: profile.id))
        }
        #expect(try await profiles.all().count == 32)
        try await profiles.setPinPolicy(try PinPolicy(lengths: 10...12), for: profile.id)
        try await profiles.setPreferredAuthenticator(.biometrics, for: profile.id)
        #expect(try await profiles.all().count == 32)
    }

    @Test(
        "Names are 1 to 64 characters, none of them a control character",
        arguments: [
            ("A", true), ("Åsa Øyen", true), (String(repeating: "a", count: 64), true), ("", false),
            (String(repeating: "a", count: 65), false), ("a\nb", false), ("a\u{202E}b", false),
        ])
    func names(text: String, isName: Bool) {
        #expect((ProfileName(rawValue: text) != nil) == isName)
    }
}
