import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Releases without rotation beside a rotated master key")
struct EarlierReleaseTests {
    /// The statements with which such a release adds a signing key and writes a state, in either database.
    private static func statements(_ device: DeviceID, _ kind: WatchedStore.Kind) -> [String] {
        let box = bytes(of: #"{"box":"x"}"#, kind)
        return [
            "INSERT INTO signing_key (id, box, created_at, active_from) VALUES ('k', \(box), 1, 1)",
            statement(writing: box, of: device),
        ]
    }

    private static func bytes(of text: String, _ kind: WatchedStore.Kind) -> String {
        let digits = text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return kind == .sqlite ? "X'\(digits)'" : "decode('\(digits)', 'hex')"
    }

    private static func statement(writing bytes: String, of device: DeviceID) -> String {
        """
        INSERT INTO pin_hardening (device_id, state, exhausted_at) VALUES ('\(device)', \(bytes), NULL)
        ON CONFLICT (device_id) DO UPDATE SET state = excluded.state, exhausted_at = excluded.exhausted_at
        """
    }

    @Test(
        """
        Before a rotation they write as before; after it has begun, no box of theirs is stored, and they can still \
        destroy keys
        """,
        arguments: WatchedStore.Kind.allCases)
    func fenced(kind: WatchedStore.Kind) async throws {
        try await WatchedStore.with(kind) { watched in
            let pin = try await PinSteps.enrolled(in: watched.store)
            let (old, new) = (MasterKeyID.random(), MasterKeyID.random())
            _ = try await watched.store.changeMasterKey(.establish(old, keptSecrets: [1]))
            for statement in Self.statements(pin.id, kind) { try await watched.run(statement) }
            #expect(try await watched.store.use(of: old).signingKeys == .init(under: 0, other: 1))
            try await watched.run("DELETE FROM signing_key")
            try await watched.run("DELETE FROM pin_hardening")
            _ = try await watched.store.changeMasterKey(
                .begin(from: old, to: new, keptSecrets: [1], withoutServers: true))
            let before = try await watched.rows()
            for statement in Self.statements(pin.id, kind) {
                await #expect(throws: (any Error).self) { try await watched.run(statement) }
            }
            #expect(try await watched.rows() == before)
            // A revocation destroys the keys, so its state has no box.
            try await watched.run(Self.statement(writing: Self.bytes(of: "{}", kind), of: pin.id))
        }
    }
}
