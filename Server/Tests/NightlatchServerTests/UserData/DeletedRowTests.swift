import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The rows of deleted users in the databases")
struct DeletedRowTests {
    /// The tables whose rows name a user, a device of the user, or both.
    private static func tablesOfUsers(_ kind: WatchedStore.Kind) -> Set<String> {
        let tables: Set = [
            "app_grant", "audit_entry", "authorization_code", "console_operator", "device", "enrolment_code", "journey_device",
            "journey_session", "password", "pin_hardening", "policy", "remote_login", "used_challenge", "user_profile",
            "user_transaction", "webhook_delivery",
        ]
        return switch kind {
        case .sqlite: tables.union(["user"])
        case .postgres: tables.union(["user_account", "refresh_family"])
        }
    }

    /// The other tables: of apps, keys, processes, sums, and hashes of messages.
    private static func otherTables(_ kind: WatchedStore.Kind) -> Set<String> {
        let tables: Set = [
            "api_key", "app", "counted_minutes", "ended_console_session", "event_count", "master_key", "readiness",
            "revoked_app_token", "running_process", "signing_key", "used_journey_message", "used_journey_step",
            "webhook", "webhook_subscription",
        ]
        return switch kind {
        case .sqlite: tables.union(["grdb_migrations"])
        case .postgres: tables.union(["schema_migration"])
        }
    }

    /// Returns the tables with a row that has one of the texts, or its bytes.
    private func tables(with texts: [String], in rows: [String: [String]]) -> Set<String> {
        let digits = texts.map { text in
            text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
        return Set(
            rows.filter { _, rows in
                rows.contains { row in (texts + digits).contains { row.contains($0) } }
            }.keys)
    }

    @Test(
        """
        Each table is one of those that name users or one of the others; after a deletion no row names the user, and \
        only the audit log names the devices
        """, arguments: WatchedStore.Kind.allCases)
    func tables(kind: WatchedStore.Kind) async throws {
        try await WatchedStore.with(kind) { watched in
            let user = try #require(UserID(rawValue: "the-deleted-user"))
            let person = try await TestPerson(user, in: watched.store)
            let other = try #require(UserID(rawValue: "another-user"))
            _ = try await TestPerson(other, in: watched.store)
            let before = try await watched.rows()
            // A new table belongs to one of the two lists. If it names users, `TestPerson` writes a row of it, and
            // `deleteUser` deletes it.
            #expect(Set(before.keys) == Self.tablesOfUsers(kind).union(Self.otherTables(kind)))
            let devices = try await watched.store.userData(.devices, of: user, after: nil, limit: 9)
                .compactMap { entry in
                    if case .device(let device, _, _) = entry.record { device.id.rawValue } else { nil }
                }
            #expect(devices.count == 2 && devices.contains(person.id.rawValue))
            #expect(tables(with: [user.rawValue] + devices, in: before) == Self.tablesOfUsers(kind))

            let reason = try #require(AuditReason(rawValue: "ticket 4711"))
            _ = try await watched.store.deleteUser(user, by: .operator, because: reason)
            let after = try await watched.rows()
            #expect(tables(with: [user.rawValue], in: after).isEmpty)
            #expect(tables(with: devices, in: after) == ["audit_entry"])
            #expect(tables(with: [other.rawValue], in: after) == tables(with: [other.rawValue], in: before))
        }
    }

    @Test(
        "Entries that an earlier version wrote are shown and verified; after a deletion they still name the user",
        arguments: WatchedStore.Kind.allCases)
    func earlierEntries(kind: WatchedStore.Kind) async throws {
        try await WatchedStore.with(kind) { watched in
            let (store, alice) = (watched.store, try Fixture.alice())
            let event = AuditEvent(.loggedIn, by: .device, user: alice)
            let entry = AuditEntry(chain: .random(), sequence: 1, at: TestTime.current, event: event)
            let digits = entry.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            let body =
                switch kind {
                case .sqlite: "X'\(digits)'"
                case .postgres: "decode('\(digits)', 'hex')"
                }
            try await watched.run(
                """
                INSERT INTO audit_entry (chain, sequence, at, user_id, body, hash) VALUES ('\(entry.chain)', 1,
                \(entry.at.secondsSince1970), 'alice', \(body), '\(AuditHash(of: entry.bytes, after: .start))')
                """)
            _ = try await store.newCode(for: alice)
            let heads = try await store.auditHeads()
            #expect(heads.count == 2)
            #expect(try await store.auditEntries(of: alice, before: nil, limit: 9).count == 2)
            let filter = AuditFilter(user: alice, kind: .loggedIn)
            #expect(try await store.auditEntries(matching: filter, before: nil, limit: 9) == [entry])

            let reason = try #require(AuditReason(rawValue: "ticket 4711"))
            guard case .deleted(let deletion) = try await store.deleteUser(alice, by: .operator, because: reason)
            else {
                Issue.record("not deleted")
                return
            }
            #expect(deletion.namedEntries == 1 && deletion.erasedEntries == 1)
            #expect(try await store.auditEntries(of: alice, before: nil, limit: 9) == [entry])
            let inspection = try await AuditInspection(of: store, heads: heads + (try await store.auditHeads()))
            #expect(inspection.findings.isEmpty && inspection.erasedEntryCount == 1)
        }
    }

    @Test(
        "A statement can erase the personal part of an entry, but change nothing else",
        arguments: WatchedStore.Kind.allCases,
        [
            "UPDATE audit_entry SET user_id = 'bob'", "UPDATE audit_entry SET personal = body",
            "UPDATE audit_entry SET personal = NULL, at = at + 1",
            "UPDATE audit_entry SET personal = NULL, body = hash",
            "DELETE FROM audit_entry",
        ])
    func trigger(kind: WatchedStore.Kind, statement: String) async throws {
        try await WatchedStore.with(kind) { watched in
            _ = try await watched.store.newCode(for: Fixture.alice())
            let before = try await watched.rows()
            await #expect(throws: (any Error).self) { try await watched.run(statement) }
            #expect(try await watched.rows() == before)
            try await watched.run("UPDATE audit_entry SET personal = NULL, user_id = 'x'")
            #expect(try await watched.rows() != before)
            // No deletion explains this.
            let findings = try await AuditSteps.findings(in: watched.store)
            #expect(findings == [.erased(pseudonym: "x", count: 1, explained: 0)])
        }
    }
}
