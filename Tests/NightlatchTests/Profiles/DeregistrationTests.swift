import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Deregistration")
struct DeregistrationTests {
    @Test("A deregistration removes everything of the profile while its vault is locked, and nothing of another")
    func everything() async throws {
        let device = SharedDevice()
        let alice = try await device.register("Alice")
        let bob = try await device.register("Bob")
        for person in [alice, bob] {
            try await device.bind(person.profile.id, in: person.open)
            try await person.open.setUpBiometrics()
        }
        let all = SharedDevice.Possessions(vaults: 2, deviceKeys: 4, biometricKeys: 2)
        #expect(try await device.possessions() == all)
        await alice.open.lock()
        try await device.profiles.deregister(alice.profile.id)

        let bobs = SharedDevice.Possessions(vaults: 1, deviceKeys: 2, biometricKeys: 1)
        #expect(try await device.possessions() == bobs)
        #expect(try await device.profiles.all() == [bob.profile])
        #expect(!(try await device.registry.json().written.contains(alice.profile.id.rawValue)))
        #expect(try await bob.open.deviceBinding() != nil)
        try await device.profiles.deregister(alice.profile.id)
        try await device.profiles.deregister(bob.profile.id)
        #expect(try await device.possessions() == .none)
        #expect(try await device.registry.json()["profiles"] == .array([]))
    }

    @Test("A biometric key that cannot be removed now is removed later")
    func biometricKey() async throws {
        let device = SharedDevice()
        let (profile, open) = try await device.register()
        try await open.setUpBiometrics()
        let keyring = device.biometrics(of: profile.id)
        keyring.failKeyChanges(with: .interrupted)
        await #expect(throws: DeregistrationError.biometrics(.interrupted)) {
            try await device.profiles.deregister(profile.id)
        }
        #expect(try await device.possessions() == .init(biometricKeys: 1))
        keyring.failKeyChanges(with: nil)
        #expect(try await device.profiles.resume().map(\.cause) == [.deregistrationCutOff])
        #expect(try await device.possessions() == .none)
        #expect(try await device.entryCount() == 0)
    }

    @Test("A vault that cannot be opened is removed, too", arguments: [[UInt8](), Array("{\"format\":99}".utf8)])
    func damagedVault(bytes: [UInt8]) async throws {
        let device = SharedDevice()
        let profile = try await device.register().profile
        try await device.vaultStore(of: profile.id).replace(StoredRecord(revision: 2, bytes: bytes), expecting: 1)
        try await device.profiles.deregister(profile.id)
        #expect(try await device.possessions() == .none)
        #expect(try await device.profiles.all().isEmpty)
    }

    @Test("The registry forgets keys that a binding made and deleted")
    func forgottenKeys() async throws {
        let device = SharedDevice()
        let (profile, open) = try await device.register()
        for _ in 0..<10 {
            try await device.bind(profile.id, in: open)
            let keys = device.profiles.deviceKeys(of: profile.id)
            let binding = try #require(try await open.deviceBinding())
            try await DeviceBinder(relyingParty: device.relyingParty, keys: keys).forget(binding, in: open)
        }
        #expect(try await device.possessions() == .init(vaults: 1))
        try await device.bind(profile.id, in: open)
        try await device.profiles.deregister(profile.id)
        #expect(try await device.possessions() == .none)
    }

    @Test("The tag of a key is written before the key is made, or there is no key")
    func tagFirst() async throws {
        let device = SharedDevice()
        let profile = try await device.register().profile
        let keys = device.profiles.deviceKeys(of: profile.id)
        device.registry.repair()
        _ = try await keys.create(.random(), access: .unattended)
        let callCount = device.registry.callCount
        for call in 0..<callCount {
            let tag = KeyTag.random()
            device.registry.fail(at: call, .before)
            await #expect(throws: DeviceKeyError(.unavailable)) { try await keys.create(tag, access: .unattended) }
            device.registry.repair()
            if try await device.keys.find(tag, access: .unattended) != nil {
                #expect(try await device.registry.json().written.contains(tag.rawValue))
            }
        }
        try await device.profiles.deregister(profile.id)
        #expect(try await device.possessions() == .none)
    }

    @Test("A profile during or after its deregistration gets no new key")
    func noKeys() async throws {
        let device = SharedDevice()
        let profile = try await device.register().profile
        let keys = device.profiles.deviceKeys(of: profile.id)
        device.registry.fail(at: 2, .before)
        await #expect(throws: DeregistrationError.self) { try await device.profiles.deregister(profile.id) }
        device.registry.repair()
        await #expect(throws: DeviceKeyError(.refused)) { try await keys.create(.random(), access: .unattended) }
        try await device.profiles.deregister(profile.id)
        await #expect(throws: DeviceKeyError(.refused)) { try await keys.create(.random(), access: .unattended) }
        #expect(try await device.possessions() == .none)
    }

    @Test("A key that is made while its profile is deregistered is removed with it", arguments: Meanwhile.allCases)
    func keyMeanwhile(moment: Meanwhile) async throws {
        let registry = RecordingStore(MemoryStore())
        let device = SharedDevice(registry: registry)
        let profile = try await device.register().profile
        let deregister: @Sendable () async -> Void = {
            await #expect(throws: Never.self) { try await device.profiles.deregister(profile.id) }
        }
        let beforeCreating = Shared<(@Sendable () async -> Void)?>(nil)
        switch moment {
        case .beforeNote: registry.interrupt(at: 0, deregister)
        case .whileNoting: registry.interrupt(at: 1, deregister)
        case .beforeKey: beforeCreating.withLock { $0 = deregister }
        case .afterKey: registry.interrupt(at: 2, deregister)
        }
        let base = InterruptedKeys(base: device.keys, beforeCreating: beforeCreating)
        let keys = Profiles(registry: registry, deviceKeys: base) { _ in .forTests(MemoryStore()) }
            .deviceKeys(of: profile.id)
        await #expect(throws: DeviceKeyError(.refused)) { try await keys.create(.random(), access: .unattended) }
        #expect(try await device.possessions() == .none)
        #expect(try await device.profiles.all().isEmpty)
    }

    enum Meanwhile: CaseIterable {
        case beforeNote, whileNoting, beforeKey, afterKey
    }

    /// Device keys that let a test act just before one is made.
    private struct InterruptedKeys: DeviceKeys {
        let base: any DeviceKeys
        let beforeCreating: Shared<(@Sendable () async -> Void)?>

        func create(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> any DeviceKey {
            await beforeCreating.withLock { $0 }?()
            return try await base.create(tag, access: access)
        }

        func find(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> (any DeviceKey)? {
            try await base.find(tag, access: access)
        }

        func remove(_ tag: KeyTag) async throws(DeviceKeyError) { try await base.remove(tag) }
    }

    @Test("Profiles without device keys refuse each key and note none, so a profile can be deregistered")
    func noDeviceKeys() async throws {
        let store = MemoryStore()
        let profiles = Profiles(registry: MemoryStore()) { _ in .forTests(store) }
        let outcome = try await profiles.register("Alice", prompt: ScriptedPerson(creating: [.pin(TestPin.right)]))
        guard case .registered(let profile, _) = outcome else { throw SharedDevice.NotRegistered() }
        let (keys, tag) = (profiles.deviceKeys(of: profile.id), KeyTag.random())
        await #expect(throws: DeviceKeyError(.notProvided)) { try await keys.create(tag, access: .unattended) }
        // The user can do nothing about it: the app's code lacks the keys.
        #expect(DeviceKeyError(.notProvided).advice == .defect(code: "no-device-keys"))
        try await profiles.deregister(profile.id)
        #expect(try await profiles.all().isEmpty)
    }

    @Test("Without the device keys a profile that has some cannot be deregistered, and the error says so")
    func missingKeys() async throws {
        let device = SharedDevice()
        let (profile, open) = try await device.register()
        try await device.bind(profile.id, in: open)
        let without = Profiles(registry: device.registry) { profile in .forTests(device.vaultStore(of: profile.id)) }
        let binding = try #require(try await open.deviceBinding())
        let keys = without.deviceKeys(of: profile.id)
        await #expect(throws: DeviceKeyError(.notProvided)) { try await keys.create(.random(), access: .unattended) }
        let tag = binding.keys.deviceKey
        await #expect(throws: DeviceKeyError(.notProvided)) { try await keys.find(tag, access: .unattended) }
        await #expect(throws: DeviceKeyError(.notProvided)) { try await keys.remove(tag) }
        await #expect(throws: DeregistrationError.deviceKey(DeviceKeyError(.notProvided))) {
            try await without.deregister(profile.id)
        }
        #expect(try await device.profiles.resume().map(\.failure) == [nil])
        #expect(try await device.possessions() == .none)
    }
}
