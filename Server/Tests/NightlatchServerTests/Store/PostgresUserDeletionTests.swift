import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The deletion of users in PostgreSQL")
struct PostgresUserDeletionTests {
    /// A verb that appends an entry about a user.
    enum Verb: String, CaseIterable {
        case binding
        case codeRedemption
        case deviceRevocation
        case enrolmentCode
        case export
        case grantEnd
        case journeyKeyRename
        case journeyStep
        case login
        case password
        case policy
        case remoteLogin
        case sessionEnd
        case transaction

        func run(for person: TestPerson, in store: any RelyingPartyStore) async throws {
            let user = person.user
            switch self {
            case .binding:
                _ = try await store.bind(
                    TestDevice().binding(user: user, code: person.code), consuming: Fixture.use())
            case .codeRedemption: _ = try await person.redeemCode(in: store)
            case .deviceRevocation: _ = try await store.revoke(person.id, of: user)
            case .enrolmentCode: _ = try await store.newCode(for: user)
            case .export: _ = try await store.beginExport(of: user, by: .operator)
            case .grantEnd: try await store.revokeAppGrant(person.grant.id, of: .default)
            case .journeyKeyRename:
                let name = try #require(DeviceName(rawValue: "Another name"))
                _ = try await store.renameJourneyDevice(
                    TestJourneys.device("key", of: user).id, of: user, to: name, by: .user)
            case .journeyStep:
                _ = try await store.recordJourneyStep(
                    JourneyStep(
                        use: TestJourneys.use(), ground: JourneyGround(user: user, generation: person.generation),
                        session: TestJourneys.session(of: user)))
            case .login:
                let login = try person.device.login(id: person.id, user: user)
                _ = try await store.recordLogin(login, consuming: Fixture.use())
            case .password:
                try await store.setPassword(
                    StoredPassword(
                        hash: [UInt8](repeating: 3, count: 32), salt: [UInt8](repeating: 4, count: 16),
                        memoryKibibytes: 64, passes: 1, lanes: 1), of: user)
            case .policy:
                _ = try await store.setPolicy(Policy(), of: .user(user), replacing: nil, by: .operator)
            case .remoteLogin: _ = try await store.openRemoteLogin(TestRemoteLogin.new(of: user))
            case .sessionEnd: try await store.endJourneySession(person.session)
            case .transaction: _ = try await store.createTransaction(TestTransaction.new(user: user))
            }
        }
    }

    @Test(
        "A deletion waits for a verb that has appended its entry, and erases this entry too", arguments: Verb.allCases)
    func waits(verb: Verb) async throws {
        let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
        let store = try await TestPostgres.open(
            cluster.address() + "&application_name=\(schema)", schema: schema, connectionCount: 2,
            statementLimit: .seconds(60))
        defer { store.close() }
        let person = try await TestPerson(Fixture.alice(), in: store)
        let entries = try await store.auditEntries(of: person.user, before: nil, limit: 999)
        let gate = try await AuditGate(in: schema, of: cluster)
        let reason = try #require(AuditReason(rawValue: "ticket 4711"))
        let (first, deletion) = try await gate.whileLocked {
            let first = Task { try await verb.run(for: person, in: store) }
            try await gate.waitUntilBlocked(1)
            let deletion = Task { try await store.deleteUser(person.user, by: .operator, because: reason) }
            try await gate.waitUntilBlocked(2)
            return (first, deletion)
        }
        try await first.value
        guard case .deleted(let deleted) = try await deletion.value else {
            Issue.record("not deleted")
            return
        }
        // A login that has waited for 100 ms in a group is taken back. It runs again alone, after the deletion.
        #expect(deleted.erasedEntries > entries.count || verb == .login)
        #expect(deleted.erasedEntries >= entries.count && deleted.namedEntries == 0)
        #expect(try await store.auditEntries(of: person.user, before: nil, limit: 9).isEmpty)
        #expect(try await store.user(person.user) == nil)
        for kind in UserDataKind.allCases {
            #expect(try await store.userData(kind, of: person.user, after: nil, limit: 9).isEmpty)
        }
        #expect(try await AuditSteps.findings(in: store).isEmpty)
    }

    @Test(
        "A verb that may change very many rows has its own time limit, and leaves no connection",
        arguments: ["deleteUser", "acceptRestore"])
    func patience(verb: String) async throws {
        let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
        let store = try await TestPostgres.open(
            cluster.address() + "&application_name=\(schema)", schema: schema, connectionCount: 1)
        let person = try await TestPerson(Fixture.alice(), in: store)
        try await cluster.query(
            """
            SET search_path = \(schema);
            CREATE TABLE seen (statements text, locks text);
            CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO \(schema).seen VALUES (current_setting('statement_timeout'), current_setting('lock_timeout'));
            RETURN NULL; END $$;
            CREATE TRIGGER see AFTER DELETE ON refresh_family FOR EACH STATEMENT EXECUTE FUNCTION see();
            GRANT INSERT ON seen TO nightlatch
            """)
        if verb == "deleteUser" {
            let reason = try #require(AuditReason(rawValue: "ticket 4711"))
            _ = try await store.deleteUser(person.user, by: .operator, because: reason)
        } else {
            _ = try await store.acceptRestore()
        }
        #expect(try await cluster.query("SELECT DISTINCT statements, locks FROM \(schema).seen") == "1h|1h")
        store.close()
        let open = "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(schema)'"
        var questions = 0
        while try await cluster.query(open) != "0", questions < 500 {
            questions += 1
            await Task.yield()
        }
        #expect(questions < 500, "a connection is left")
    }
}
