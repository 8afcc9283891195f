import Logging
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Reports of running processes")
struct MasterKeyWatchTests {
    private let old = MasterKey.random()
    private let new = MasterKey.random()
    private let store = MemoryRelyingPartyStore(clock: TestTime.clock)

    private func watch(_ keyring: MasterKeyring) -> MasterKeyWatch<MemoryRelyingPartyStore> {
        MasterKeyWatch(store: store, keyring: keyring, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test("A process does not follow a record whose secrets do not open under the key that it names")
    func unproved() async throws {
        try await establish()
        let keyring = MasterKeyring(old, other: new)
        let watch = watch(keyring)
        try await watch.begin()
        _ = try await store.changeMasterKey(.begin(from: old.id, to: new.id, keptSecrets: [1, 2, 3]))
        #expect(try await watch.report())
        #expect(keyring.sealing.id == old.id)
    }

    private func establish() async throws {
        let kept = try #require(KeptSecrets(derivedFrom: old).sealed(under: old))
        _ = try await store.changeMasterKey(.establish(old.id, keptSecrets: kept))
    }

    private func begin() async throws -> MasterKeyChangeOutcome {
        let kept = try #require(KeptSecrets(derivedFrom: old).sealed(under: new))
        return try await store.changeMasterKey(
            .begin(from: old.id, to: new.id, keptSecrets: kept, withoutServers: true))
    }

    @Test("A process follows a switch at its next report, and says so in the same report")
    func switched() async throws {
        try await establish()
        let keyring = MasterKeyring(old, other: new)
        let watch = watch(keyring)
        try await watch.begin()
        #expect(try await store.runningProcesses().map(\.sealing) == [old.id])
        #expect(try await store.runningProcesses().first?.keys == [old.id, new.id])
        guard case .done = try await begin() else { throw StepFailed(outcome: "waits") }
        #expect(keyring.sealing.id == old.id)
        #expect(try await watch.report())
        #expect(keyring.sealing.id == new.id)
        #expect(try await store.runningProcesses().map(\.sealing) == [new.id])
    }

    @Test("A process holds up a switch to a key that it does not know")
    func unknown() async throws {
        try await establish()
        try await watch(MasterKeyring(old)).begin()
        guard case .waiting(let processes) = try await begin() else { throw StepFailed(outcome: "does not wait") }
        #expect(processes.count == 1)
    }

    @Test("A process without the key that seals does not start; one that slept through the rotation is unavailable")
    func replaced() async throws {
        try await establish()
        let keyring = MasterKeyring(old)
        let sleeping = watch(keyring)
        try await sleeping.begin()
        let keys = try await TokenKeys(
            relyingParty: Fixture.issuer(),
            schedule: SigningKeySchedule(accessTokenLife: .seconds(300), signingKeyLife: nil), store: store,
            keyring: keyring, now: TestTime.current)
        let readiness = Readiness(of: store, keyring: keyring)
        try await readiness.require()
        try await TestTime.after(.seconds(60)) { () async throws in
            guard case .done = try await begin() else { throw StepFailed(outcome: "waits") }
            await #expect(throws: RelyingPartyStartError.masterKeyDoesNotFit) { try await watch(keyring).begin() }
            #expect(try await !sleeping.report())
            await #expect(throws: RelyingPartyStoreError(.unavailable)) { try await keys.issuer(now: TestTime.current) }
            await #expect(throws: RelyingPartyStoreError(.unavailable)) {
                try await Readiness(of: store, keyring: keyring).require()
            }
            #expect(try await store.signingKeys().count == 1)
        }
        // The next rotation goes back to the key that the process knows.
        for change in [MasterKeyChange.close(new.id), .finish(new.id)] {
            try await TestTime.after(.seconds(120)) { () async throws in _ = try await store.changeMasterKey(change) }
        }
        try await TestTime.after(.seconds(200_000)) { () async throws in
            let kept = try #require(KeptSecrets(derivedFrom: old).sealed(under: old))
            _ = try await store.changeMasterKey(
                .begin(from: new.id, to: old.id, keptSecrets: kept, withoutServers: true))
            #expect(try await sleeping.report() && !keyring.isReplaced)
        }
    }
}
