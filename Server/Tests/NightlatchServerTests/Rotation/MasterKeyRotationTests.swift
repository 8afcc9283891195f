import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Rotation of the master key")
struct MasterKeyRotationTests {
    private let old = MasterKey.random()
    private let new = MasterKey.random()
    private let store = MemoryRelyingPartyStore(clock: TestTime.clock)

    /// Starts the key as a server does: with a signing key, and the record.
    private func start() async throws {
        let key = try TokenSigningKey.random().sealed(
            under: old, createdAt: TestTime.current, activeFrom: TestTime.current)
        _ = try await store.addSigningKey(key, after: nil)
        _ = try await MasterKeyStart(MasterKeyring(old), in: store).record(in: store)
    }

    /// A device with a PIN whose key is sealed under `key`.
    private func pin(under key: MasterKey, of name: String) async throws -> DeviceID {
        let (device, user) = (TestDevice(), try #require(UserID(rawValue: name)))
        let id = try await store.bind(device, to: user)
        let sealed = try await PinEvaluator(keyring: MasterKeyring(key)).makeKey(for: id, epoch: .first)
        let step = PinStep(signer: try device.key.id, rounds: .default, .open(sealed, code: nil))
        guard case .opened = try await store.recordPinStep(step, of: id, user: user) else {
            throw StepFailed(outcome: "not opened")
        }
        return id
    }

    private func rotation(from old: MasterKey? = nil, to new: MasterKey? = nil) -> MasterKeyRotation {
        MasterKeyRotation(of: store, from: old ?? self.old, to: new ?? self.new, isWithoutServers: true)
    }

    @Test("Everything is sealed again, a second run changes nothing, and only the new key is needed afterwards")
    func whole() async throws {
        try await start()
        var devices: [DeviceID] = []
        for number in 0..<120 { devices.append(try await pin(under: old, of: "user-\(number)")) }
        var seen: [MasterKeyRotation.Progress] = []
        let summary = try await rotation().run { seen.append($0) }
        #expect(summary.damaged.isEmpty)
        #expect(seen.first == .switched && seen.contains(.signingKeys(1)) && seen.contains(.pins(120)))
        let use = try await store.use(of: new.id)
        #expect(use == MasterKeyUse(signingKeys: .init(under: 1, other: 0), pins: .init(under: 120, other: 0)))
        let only = MasterKeyring(new)
        let secrets = try await MasterKeyStart(only, in: store).secrets
        #expect(AuditKey(secrets.kept).publicKey == AuditKey(masterKey: old).publicKey)
        for key in try await store.signingKeys() { _ = try TokenSigningKey(key, underKeyOf: only) }
        for device in devices.prefix(3) {
            let key = try #require(try await store.pinHardening(of: device).candidate?.key)
            _ = try await PinEvaluator(keyring: only).sealedAgain(key, of: device)
        }
        await #expect(throws: RelyingPartyStartError.masterKeyDoesNotFit) {
            try await MasterKeyStart(MasterKeyring(old), in: store)
        }
        var again: [MasterKeyRotation.Progress] = []
        _ = try await rotation().run { again.append($0) }
        #expect(again == [.continued, .signingKeys(0)])
        #expect(try await store.use(of: new.id) == use)
    }

    @Test("Several runs at once end with everything under the new key")
    func parallel() async throws {
        try await start()
        for number in 0..<20 { _ = try await pin(under: old, of: "user-\(number)") }
        let rotation = rotation()
        let summaries = try await inParallel(5) { try await rotation.run { _ in } }
        #expect(Set(summaries).count == 1)
        #expect(try await store.use(of: new.id).pins == .init(under: 20, other: 0))
        let events = try await store.auditEntries(of: nil, before: nil, limit: 500).map(\.event.kind)
        #expect(events.count { $0 == .masterKeyRotationBegan } == 1 && events.count { $0 == .masterKeyRotated } == 1)
    }

    @Test("A key that opens under neither master key is named and stays as it is")
    func damaged() async throws {
        try await start()
        let whole = try await pin(under: old, of: "alice")
        let stranger = MasterKey.random()
        let broken = try await pin(under: stranger, of: "bob")
        let before = try await store.pinHardening(of: broken)
        let summary = try await rotation().run { _ in }
        #expect(summary.damaged.map(\.device) == [broken] && summary.damaged.first?.masterKey == stranger.id)
        #expect(try await store.pinHardening(of: broken) == before)
        #expect(try await store.pinHardening(of: whole).candidate?.key.masterKey == new.id)
    }

    @Test("A rotation does not begin with a wrong key, with one key twice, or without a server's first start")
    func refusals() async throws {
        await #expect(throws: MasterKeyRotationError.noKey) { try await rotation().run { _ in } }
        try await start()
        let state = try await store.masterKeyState()
        await #expect(throws: MasterKeyRotationError.sameKey) { try await rotation(to: old).run { _ in } }
        await #expect(throws: MasterKeyRotationError.masterKeyDoesNotFit) {
            try await rotation(from: .random()).run { _ in }
        }
        let stranger = RunningProcess(id: .random(), name: "host 7", keys: [old.id], sealing: old.id)
        _ = try await store.report(stranger)
        await #expect(throws: MasterKeyRotationError.unknownTo([stranger.seen(at: TestTime.current)])) {
            try await rotation().run { _ in }
        }
        // The new key as the old one, and the other way round.
        await #expect(throws: MasterKeyRotationError.sameKey) {
            try await rotation(from: .random(), to: old).run { _ in }
        }
        #expect(try await store.masterKeyState() == state)
    }

    @Test("A begun rotation continues only with the same keys, and is finished before another one")
    func continued() async throws {
        try await start()
        let device = try await pin(under: old, of: "alice")
        let kept = try #require(KeptSecrets(derivedFrom: old).sealed(under: new))
        _ = try await store.changeMasterKey(.begin(from: old.id, to: new.id, keptSecrets: kept, withoutServers: true))
        await #expect(throws: RelyingPartyStartError.masterKeyDoesNotFit, "The old key is still needed") {
            try await MasterKeyStart(MasterKeyring(new), in: store)
        }
        _ = try await MasterKeyStart(MasterKeyring(new, other: old), in: store)
        let third = MasterKey.random()
        await #expect(throws: MasterKeyRotationError.masterKeyDoesNotFit) {
            try await rotation(to: third).run { _ in }
        }
        await #expect(throws: MasterKeyRotationError.self) { try await rotation(from: new, to: third).run { _ in } }
        var seen: [MasterKeyRotation.Progress] = []
        _ = try await rotation().run { seen.append($0) }
        #expect(seen.first == .continued)
        #expect(try await store.pinHardening(of: device).candidate?.key.masterKey == new.id)
        await #expect(throws: MasterKeyRotationError.tooEarly(TestTime.current + MasterKeyState.textLife)) {
            try await rotation(from: new, to: third).run { _ in }
        }
        try await TestTime.after(MasterKeyState.textLife) { () async throws in
            _ = try await rotation(from: new, to: third).run { _ in }
        }
        let secrets = try await MasterKeyStart(MasterKeyring(third), in: store).secrets
        #expect(AuditKey(secrets.kept).publicKey == AuditKey(masterKey: old).publicKey, "Kept over two rotations")
    }

    @Test("Forgotten signing keys: with the same key all kept secrets stay; only a lost key is replaced, by a server")
    func forgotten() async throws {
        try await start()
        _ = try await rotation().run { _ in }
        _ = try await store.forgetSigningKeys()
        let same = try await MasterKeyStart(MasterKeyring(new), in: store, isReplacingLost: true)
        #expect(!same.isLost)
        #expect(AuditKey(same.secrets.kept).publicKey == AuditKey(masterKey: old).publicKey)
        let third = MasterKey.random()
        await #expect(throws: RelyingPartyStartError.masterKeyDoesNotFit) {
            try await MasterKeyStart(MasterKeyring(third), in: store)
        }
        let other = try await MasterKeyStart(MasterKeyring(third), in: store, isReplacingLost: true)
        let secrets = try await other.record(in: store)
        #expect(other.isLost && AuditKey(secrets.kept).publicKey == AuditKey(masterKey: third).publicKey)
        #expect(try await store.masterKeyState()?.sealing == third.id)
        await #expect(throws: RelyingPartyStartError.masterKeyDoesNotFit) {
            try await MasterKeyStart(MasterKeyring(new), in: store)
        }
    }

    @Test("A rotation does not begin while no server reports itself")
    func withoutServers() async throws {
        try await start()
        await #expect(throws: MasterKeyRotationError.noServers) {
            try await MasterKeyRotation(of: store, from: old, to: new).run { _ in }
        }
    }

    @Test("A store of a release without rotation: the key that opens its signing keys seals, in any order of the files")
    func earlierRelease() async throws {
        let key = try TokenSigningKey.random().sealed(
            under: old, createdAt: TestTime.current, activeFrom: TestTime.current)
        let unnamed = SealedSigningKey(id: key.id, box: key.box, createdAt: key.createdAt, activeFrom: key.activeFrom)
        _ = try await store.addSigningKey(unnamed, after: nil)
        for keyring in [MasterKeyring(old, other: new), MasterKeyring(new, other: old), MasterKeyring(old)] {
            let start = try await MasterKeyStart(keyring, in: store)
            #expect(start.secrets.keyring.sealing.id == old.id)
            #expect(AuditKey(start.secrets.kept).publicKey == AuditKey(masterKey: old).publicKey)
        }
        await #expect(throws: RelyingPartyStartError.masterKeyDoesNotFit) {
            try await MasterKeyStart(MasterKeyring(new), in: store)
        }
        #expect(try await store.masterKeyState() == nil, "Nothing was written")
    }
}
