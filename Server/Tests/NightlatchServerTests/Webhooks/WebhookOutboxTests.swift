import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Events for webhooks in the transaction of their operation")
struct WebhookOutboxTests {
    /// A statement that makes every later insertion into `table` fail.
    private static func failing(_ table: String, _ kind: WatchedStore.Kind) -> String {
        switch kind {
        case .sqlite: "CREATE TRIGGER broken BEFORE INSERT ON \(table) BEGIN SELECT RAISE(ABORT, 'broken'); END"
        case .postgres:
            """
            CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$;
            CREATE TRIGGER broken BEFORE INSERT ON \(table) FOR EACH ROW EXECUTE FUNCTION broken()
            """
        }
    }

    @Test(
        "An operation whose event cannot be added for a webhook has no effect, and one that fails adds no event",
        arguments: WatchedStore.Kind.allCases, ["webhook_delivery", "used_challenge", "audit_entry"])
    func together(kind: WatchedStore.Kind, table: String) async throws {
        try await WatchedStore.with(kind) { watched in
            let (store, alice, device) = (watched.store, try Fixture.alice(), TestDevice())
            let id = try await store.bind(device, to: alice)
            _ = try await store.newWebhook([.loggedIn])
            try await watched.run(Self.failing(table, kind))
            let before = try await watched.rows()
            await #expect(throws: RelyingPartyStoreError.self) {
                try await store.recordLogin(device.login(id: id, user: alice), consuming: Fixture.use())
            }
            #expect(try await watched.rows() == before)
        }
    }
}
