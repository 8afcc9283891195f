import GRDB
import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("A damaged two-party PIN")
struct DamagedPinTests {
    /// Stores whose rows a test can change.
    enum Kind: CaseIterable {
        case sqlite, postgres

        /// Calls `body` with a store and with a function that damages a device's row.
        func with(
            _ body: (any RelyingPartyStore, _ damage: (DeviceID, String) async throws -> Void) async throws -> Void
        ) async throws {
            switch self {
            case .sqlite:
                try await TemporaryFolder.with { folder in
                    let path = folder + "/store.sqlite"
                    let store = try SQLiteStore(path: path, clock: TestTime.clock)
                    try await body(store) { device, text in
                        try await DatabaseQueue(path: path).write { database in
                            try database.execute(
                                sql: "UPDATE pin_hardening SET state = CAST(? AS BLOB) WHERE device_id = ?",
                                arguments: [text, device.rawValue])
                        }
                    }
                    try store.close()
                }
            case .postgres:
                let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
                let store = try await TestPostgres.open(schema: schema)
                defer { store.close() }
                try await body(store) { device, text in
                    try await cluster.query(
                        "UPDATE \(schema).pin_hardening SET state = '\(text)' WHERE device_id = '\(device.rawValue)'")
                }
            }
        }
    }

    @Test("For an unknown key nothing is decoded, whether the device has a PIN or not", arguments: Kind.allCases)
    func stranger(kind: Kind) async throws {
        try await kind.with { store, damage in
            let pin = try await PinSteps.enrolled(in: store)
            let known = try await store.pinHardening(of: pin.id, naming: pin.knowledge)
            #expect(known?.knowledgeKey == pin.knowledge)
            let refused = try await store.pinHardening(of: pin.id, naming: .random())
            let none = try await store.pinHardening(of: .random(), naming: pin.knowledge)
            #expect(refused == nil && none == nil)
            // Decoding the damaged row would throw an error.
            try await damage(pin.id, "{}")
            let damaged = try await store.pinHardening(of: pin.id, naming: .random())
            #expect(damaged == nil)
        }
    }

    @Test(
        "The device can still be revoked and replaced, its keys are destroyed, and guesses are refused",
        arguments: Kind.allCases, ["", "{}", "[1]"])
    func stops(kind: Kind, text: String) async throws {
        try await kind.with { store, damage in
            let revoked = try await PinSteps.enrolled(in: store)
            let replaced = try await PinSteps.enrolled(in: store)
            for pin in [revoked, replaced] {
                try await damage(pin.id, text)
                await #expect(throws: RelyingPartyStoreError(.corrupt)) {
                    try await pin.take(pin.guess(PinSteps.element(), epoch: 1, window: 1))
                }
            }
            for _ in 0..<2 { #expect(try await store.revoke(revoked.id, of: revoked.user) != nil) }
            let code = try await store.newCode(for: replaced.user)
            let outcome = try await store.bind(
                TestDevice().binding(user: replaced.user, code: code, policy: .one), consuming: Fixture.use())
            guard case .bound = outcome else { throw StepFailed(outcome: "\(outcome)") }
            for (pin, stop) in [(revoked, DeviceStop.revoked), (replaced, .replaced)] {
                #expect(
                    try await pin.refusal(pin.guess(PinSteps.element(), epoch: 1, window: 1)) == .deviceStopped(stop))
                #expect(try await pin.events(.pinKeysDestroyed).count == 1)
                let state = try await store.pinHardening(of: pin.id)
                #expect(state.current == nil && state.candidate == nil && state.isCodeRequired)
            }
        }
    }

    @Test(
        """
        Other PINs are still destroyed in time; the damaged PIN is destroyed too, reported once, and reopened only by \
        full credentials
        """,
        arguments: Kind.allCases)
    func due(kind: Kind) async throws {
        try await kind.with { store, damage in
            var pins: [PinSteps] = []
            for _ in 0..<4 {
                let pin = try await PinSteps.enrolled(in: store)
                for _ in 1...10 { _ = try await pin.charged(PinSteps.element(), epoch: 1, window: 1) }
                pins.append(pin)
            }
            // In any order of processing, an intact PIN comes after a damaged one.
            let byID = pins.sorted { $0.id.rawValue < $1.id.rawValue }
            for pin in byID.prefix(2) { try await damage(pin.id, "{}") }
            try await TestTime.after(.seconds(601)) {
                await #expect(throws: RelyingPartyStoreError(.corrupt)) {
                    try await store.destroyDuePinKeys(guessLimit: 10)
                }
                try await store.destroyDuePinKeys(guessLimit: 10)
                for pin in byID {
                    let state = try await store.pinHardening(of: pin.id)
                    #expect(state.current == nil && state.isCodeRequired)
                    let events = try await pin.events(.pinKeysDestroyed)
                    #expect(events.map(\.actor) == [.server])
                }
                let pin = byID[0]
                let next = try await store.pinHardening(of: pin.id).nextEpoch
                #expect(next > PinSteps.epoch(1_000_000), "No number is given twice.")
                let device = try pin.device.key.id
                let refused = try await pin.refusal(pin.opening(next.rawValue), by: device)
                #expect(refused == .codeRequired)
                let code = try await store.newCode(for: pin.user)
                try await pin.open(next.rawValue, by: device, code: code)
            }
        }
    }

    @Test("A used challenge is still reported as used, and no login succeeds", arguments: Kind.allCases)
    func login(kind: Kind) async throws {
        try await kind.with { store, damage in
            let pin = try await PinSteps.enrolled(in: store)
            let login = try pin.device.login(id: pin.id, user: pin.user, pinGuessLimit: 10)
            let use = Fixture.use()
            #expect(try await store.recordLogin(login, consuming: use) == .loggedIn)
            try await damage(pin.id, "{}")
            #expect(try await store.recordLogin(login, consuming: use) == .challengeUsed)
            let fresh = Fixture.use()
            for _ in 0..<2 {
                await #expect(throws: RelyingPartyStoreError(.corrupt)) {
                    try await store.recordLogin(login, consuming: fresh)
                }
            }
            let events = try await pin.events(.loggedIn)
            #expect(events.count == 1)
        }
    }
}
