import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Resuming after a crash")
struct ResumeTests {
    @Test("Without interrupted work, resuming finds nothing")
    func nothing() async throws {
        let device = SharedDevice()
        #expect(try await device.profiles.resume().isEmpty)
        #expect(try await device.registry.read() == nil)
        let profile = try await device.register().profile
        #expect(try await device.profiles.resume().isEmpty)
        #expect(try await device.profiles.all() == [profile])
    }

    @Test("A profile with a wiped vault is removed, with the length of its PIN and its keys")
    func vaultErased() async throws {
        let device = SharedDevice(lockoutPolicy: .enterprise)
        let (profile, open) = try await device.register()
        try await device.bind(profile.id, in: open)
        let kept = try await device.register("Bob").profile
        #expect(try await device.profiles.vault(of: profile).giveUpPin() == .erased)
        let resumed = try await device.profiles.resume()
        #expect(resumed.map(\.id) == [profile.id])
        #expect(resumed.map(\.name) == [profile.name])
        #expect(resumed.map(\.cause) == [.vaultErased])
        #expect(resumed.map(\.failure) == [nil])
        #expect(try await device.possessions() == .init(vaults: 1))
        #expect(try await device.profiles.all() == [kept])
    }

    @Test("A profile without its vault stays, with its keys")
    func vaultMissing() async throws {
        let device = SharedDevice()
        let (profile, open) = try await device.register()
        try await device.bind(profile.id, in: open)
        try await device.vaultStore(of: profile.id).erase()
        #expect(try await device.profiles.resume().isEmpty)
        #expect(try await device.profiles.all() == [profile])
        #expect(try await device.possessions() == .init(deviceKeys: 2))
    }

    @Test("An unreadable vault does not count as missing")
    func unreadableVault() async throws {
        let device = SharedDevice()
        let profile = try await device.register().profile
        for fault in FaultyStore.Fault.allCases {
            // The registry is read, then the vault.
            device.registry.fail(at: 2, fault)
            #expect(try await device.profiles.resume().isEmpty)
            device.registry.repair()
        }
        try await device.vaultStore(of: profile.id).replace(StoredRecord(revision: 2, bytes: [1]), expecting: 1)
        #expect(try await device.profiles.resume().isEmpty)
        #expect(try await device.profiles.all() == [profile])
        #expect(try await device.possessions().vaults == 1)
    }

    @Test("A profile that cannot be removed does not stop others, and is removed at the next resume")
    func oneFails() async throws {
        let device = SharedDevice()
        var ids: [ProfileID] = []
        for name in ["Alice", "Bob", "Carol"] {
            let profile = try await device.register(name).profile
            device.registry.fail(at: 2, .before)
            await #expect(throws: DeregistrationError.self) { try await device.profiles.deregister(profile.id) }
            device.registry.repair()
            ids.append(profile.id)
        }
        let stuck = ids[1]
        let profiles = Profiles(registry: device.registry, deviceKeys: nil) { profile in
            let store = FaultyStore(device.vaultStore(of: profile.id))
            if profile.id == stuck { store.fail(at: 0, .before) }
            return .forTests(store)
        }
        let resumed = try await profiles.resume()
        #expect(resumed.map(\.id) == ids)
        #expect(resumed.allSatisfy { $0.cause == .deregistrationCutOff })
        #expect(resumed.map(\.failure) == [nil, .vault(.store(StoreError(.unavailable))), nil])
        #expect(try await device.possessions() == .init(vaults: 1))
        #expect(try await device.profiles.resume().map(\.id) == [stuck])
        #expect(try await device.possessions() == .none)
    }

    @Test("An unreadable registry is an error, never a device without profiles")
    func unreadableRegistry() async throws {
        let device = SharedDevice()
        let profile = try await device.register().profile
        device.registry.fail(at: 0, .before)
        let unavailable = RegistryError(.profiles, StoreError(.unavailable))
        await #expect(throws: unavailable) { try await device.profiles.resume() }
        await #expect(throws: unavailable) { try await device.profiles.all() }
        await #expect(throws: unavailable) { try await device.profiles.profile(profile.id) }
        await #expect(throws: unavailable) {
            try await device.profiles.setPinPolicy(.default, for: profile.id)
        }
        await #expect(throws: DeregistrationError.registry(unavailable)) {
            try await device.profiles.deregister(profile.id)
        }
    }
}
