import Crypto
import Foundation
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchWire
import Testing

@Suite("Administration at the command line", .timeLimit(.minutes(10)))
struct AdministrationTests {
    private struct Devices: Decodable {
        struct Device: Decodable {
            let id: String
            let name: String
            let status: String
            let blocked_by: String?
            let replaced_by: String?
        }
        let entries: [Device]
    }

    private struct Log: Decodable {
        struct Entry: Decodable, Equatable {
            let event: String
            let actor: String
        }
        let entries: [Entry]
        let next: String?
    }

    /// Runs `nightlatch admin …` on the server's database.
    private func admin(_ server: ServerProcess, _ arguments: String...) async throws -> Outcome {
        try await admin(server, arguments)
    }

    private func admin(_ server: ServerProcess, _ arguments: [String]) async throws -> Outcome {
        try await Nightlatch.run(
            ["admin"] + arguments + ["--database", "sqlite:\(server.folder)/nightlatch.sqlite"])
    }

    private func json<Value: Decodable>(_ outcome: Outcome, _ type: Value.Type = Value.self) throws -> Value {
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(type, from: Data(outcome.output.utf8))
    }

    private func register(_ folder: TemporaryFolder, at server: ServerProcess) async throws {
        let bound = try await folder.device(
            "bind", "--server", server.url, "--code", try await server.code(), "--name", "Desk", pins: ["295038"])
        #expect(bound.status == 0, "\(bound.errors)")
    }

    @Test(
        """
        An operator finds a user, blocks and unblocks a device of a running server, and reads each step in the audit \
        log
        """)
    func story() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            try await register(folder, at: server)
            _ = try await server.code(for: "bob")
            let users = try await admin(server, "users")
            #expect(
                users.output.hasPrefix("USER ") && users.output.contains("\nalice  ") && users.output.contains("\nbob ")
            )
            let shown = try await admin(server, "users", "show", "alice")
            #expect(shown.output.hasPrefix("alice, since ") && shown.output.contains("1 active, 0 blocked, 0 revoked"))
            let device = try #require(
                try json(await admin(server, "devices", "list", "alice", "--json"), Devices.self).entries.first)
            #expect(device.name == "Desk" && device.status == "active")

            let renamed = try await admin(server, "devices", "rename", "alice", device.id, "Lost at the lake")
            #expect(renamed.output.contains("active") && renamed.output.hasSuffix("  Lost at the lake\n"))
            #expect(try await folder.device("login", pins: ["295038"]).status == 0)
            let blocked = try await admin(server, "devices", "block", "alice", device.id)
            #expect(blocked.output.contains("  blocked  "), "\(blocked.errors)")
            let refused = try await folder.device("login", pins: ["295038"])
            #expect(refused.status == 1 && refused.errors.contains("device_blocked") && refused.errors.contains("kept"))
            let unblocked = try await admin(server, "devices", "unblock", "alice", device.id)
            #expect(unblocked.output.contains("  active  "))
            #expect(try await folder.device("login", pins: ["295038"]).status == 0)

            let own = try await folder.device("devices", "rename", device.id, "Found", pins: ["295038"])
            #expect(own.output.hasSuffix("  Found\n"), "\(own.errors)")
            let revoked = try await admin(server, "devices", "revoke", "alice", device.id)
            #expect(revoked.output.contains("  revoked  "))
            let again = try await admin(server, "devices", "block", "alice", device.id)
            #expect(again.status == 1 && again.errors.contains("revoked") && again.output.isEmpty)

            let log = try json(await admin(server, "audit", "--user", "alice", "--json"), Log.self)
            #expect(log.next == nil)
            // Entries of the same second are ordered only within a chain, and each process writes its own chain.
            #expect(
                log.entries.map { $0.event + " by " + $0.actor }.sorted() == [
                    "device_blocked by operator", "device_bound by device", "device_renamed by operator",
                    "device_renamed by user", "device_revoked by operator", "device_unblocked by operator",
                    "enrolment_code_created by backend", "logged_in by device", "logged_in by device",
                ])
            let page = try json(await admin(server, "audit", "--user", "alice", "--limit", "1", "--json"), Log.self)
            #expect(page.entries == Array(log.entries.prefix(1)))
            let place = try #require(page.next)
            let next = try await admin(server, "audit", "--user", "alice", "--limit", "1", "--before", place)
            #expect(next.output.contains("  \(log.entries[1].event)  "), "\(next.errors)")
            #expect(next.errors.hasPrefix("There are more: --before "))
        }
    }

    @Test("A server with a limit of devices for each user binds no device beyond it")
    func deviceLimit() async throws {
        let (folder, second) = (try TemporaryFolder(), try TemporaryFolder())
        try await ServerProcess.run(in: folder, options: ["--active-devices", "1"]) { server in
            try await register(folder, at: server)
            let refused = try await second.device(
                "bind", "--server", server.url, "--code", try await server.code(), "--name", "Two", pins: ["295038"]
            )
            #expect(refused.status == 1 && refused.errors.contains("too_many_devices"), "\(refused.errors)")
        }
        let none = try await Nightlatch.run("serve", "--active-devices", "0", "--database", "sqlite:\(folder.path)/x")
        #expect(none.status == 2 && none.errors.contains("--active-devices takes whole devices from 1 to 100"))
    }

    @Test("Under the policy of one device, a new device replaces the old one, and the old one deletes its keys")
    func oneDevice() async throws {
        let (folder, second) = (try TemporaryFolder(), try TemporaryFolder())
        try await ServerProcess.run(in: folder, options: ["--device-policy", "one"]) { server in
            try await register(folder, at: server)
            try await register(second, at: server)
            let refused = try await folder.device("login", pins: ["295038"])
            #expect(refused.status == 1 && refused.errors.contains("device_replaced"), "\(refused.errors)")
            #expect(try await folder.device("unlock", pins: ["295038"]).output.isEmpty)
            #expect(try await second.device("login", pins: ["295038"]).status == 0)
            let devices = try json(await admin(server, "devices", "list", "alice", "--json"), Devices.self).entries
            #expect(Set(devices.map(\.status)) == ["active", "replaced"])
            #expect(
                devices.first { $0.status == "replaced" }?.replaced_by == devices.first { $0.status == "active" }?.id)
        }
    }

    /// Makes a database in which alice has a journey key and a session that this key began.
    private func journeys(in folder: TemporaryFolder) async throws -> String {
        let path = folder.path + "/journeys.sqlite"
        let store = try SQLiteStore(path: path)
        let (alice, now) = (try #require(UserID(rawValue: "alice")), NumericDate(Date()))
        let password = StoredPassword(
            hash: .init(repeating: 1, count: 32), salt: .init(repeating: 1, count: 16), memoryKibibytes: 8, passes: 1,
            lanes: 1)
        try await store.setPassword(password, of: alice, by: .backend)
        let key = try #require(ECPublicJWK(coordinates: Array(P256.Signing.PrivateKey().publicKey.rawRepresentation)))
        let device = JourneyDevice(
            id: try #require(JourneyKeyID(rawValue: "key-1")), user: alice, application: "com.example.app",
            key: .ec(key), algorithm: .es256, machine: try #require(MachineID(rawValue: "machine-1")),
            name: try #require(DeviceName(rawValue: "Phone")), boundAt: now, lastAccessAt: now)
        func hash() -> [UInt8] { (0..<32).map { _ in UInt8.random(in: 0...255) } }
        func use() -> JourneyStepUse { JourneyStepUse(oneTimeKey: .random(), expiresAt: now + .seconds(300)) }
        let binding = JourneyStep(use: use(), bindings: [JourneyBinding(device: device, limit: nil)])
        let signing = JourneyStep(
            use: use(),
            signings: [JourneySigning(key: device.id, user: alice, claims: #"{"amount":"100.00"}"#)],
            session: NewJourneySession(
                token: JourneySessionHash(hash()), user: alice, journey: "sign", key: device.id, life: .seconds(3600)))
        for step in [binding, signing] { #expect(try await store.recordJourneyStep(step) == .recorded) }
        try store.close()
        return path
    }

    @Test(
        """
        An operator lists, renames and removes journey keys, ends journey sessions, and the audit log shows keys and \
        claims
        """)
    func journeyKeys() async throws {
        let folder = try TemporaryFolder()
        let database = "sqlite:" + (try await journeys(in: folder))
        func admin(_ arguments: String...) async throws -> Outcome {
            try await Nightlatch.run(["admin"] + arguments + ["--database", database])
        }
        let listed = try await admin("journey-keys", "list", "alice")
        #expect(listed.output.contains("\nkey-1  com.example.app  "), "\(listed.errors)")
        #expect(try await admin("journey-sessions", "list", "alice").output.contains("\nsign     "))
        let json = try await admin("journey-sessions", "list", "alice", "--json").output
        #expect(json.contains(#""journey":"sign""#) && json.contains(#""key":"key-1""#))
        #expect(try await admin("journey-keys", "rename", "alice", "key-1", "Lost").output.hasSuffix("  Lost\n"))
        #expect(try await admin("journey-sessions", "end", "alice").output == "alice  1 ended\n")
        #expect(try await admin("journey-sessions", "end", "alice").output == "alice  0 ended\n")
        #expect(
            try await admin("journey-keys", "remove", "alice", "key-1", "--json").output.contains(#""name":"Lost""#))
        for (arguments, status) in [
            (["journey-keys", "remove", "alice", "key-1"], 1), (["journey-keys", "remove", "alice", "key 1"], 2),
            (["journey-keys", "list", "carol"], 1), (["journey-sessions", "end", "carol"], 1),
        ] as [([String], Int32)] {
            let refused = try await Nightlatch.run(["admin"] + arguments + ["--database", database])
            #expect(refused.status == status && refused.output.isEmpty, "\(arguments)")
        }
        let audit = try await admin("audit", "--user", "alice").output
        #expect(audit.contains(/journey_signed +device +alice .* key-1 +\{"amount":"100.00"\}\n/))
        #expect(audit.contains(/journey_device_removed +operator +alice .* key-1 +-\n/))
    }

    @Test("The command shows the policy of a server with the same settings and makes no file")
    func policy() async throws {
        let folder = try TemporaryFolder()
        let settings = folder.path + "/settings.json"
        try #"{"guessLimit":7}"#.write(toFile: settings, atomically: false, encoding: .utf8)
        let arguments = [
            "admin", "policy", "--config", settings, "--device-policy", "one", "--issuer", "https://login.example",
            "--database", "sqlite:\(folder.path)/none/store.sqlite", "--master-key-file",
            folder.path + "/none/master.key",
        ]
        let shown = try await Nightlatch.run(arguments)
        #expect(shown.status == 0, "\(shown.errors)")
        for fact in [
            #/\nNames +Relying party +https:\/\/login\.example\n/#,
            #/ Devices of a user +one; the next binding replaces it/#,
            #/\nPINs +Guesses at a two-party PIN +7, then its keys are destroyed\n/#,
        ] { #expect(shown.output.contains(fact), "\(shown.output)") }
        let rounds = try await Nightlatch.run(["admin", "policy", "--guess-rounds", "4,1m,4,90s,2"])
        let fact = #/ two-party PIN +4, a wait of 1 minute, 4, a wait of 90 seconds, 2, then its keys are destroyed\n/#
        #expect(rounds.output.contains(fact), "\(rounds.output)\(rounds.errors)")
        let told = try json(try await Nightlatch.run(arguments + ["--json"]), [String: [String: [String: String]]].self)
        #expect(told["policy"]?["names"]?["Relying party"] == "https://login.example")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["settings.json"])
        let misspelt = try await Nightlatch.run("admin", "policy", "--device-policy", "some")
        #expect(misspelt.status == 2 && misspelt.output.isEmpty)
    }

    @Test("An operator sets, shows, changes and removes the profile of a user, without a word of it in the audit log")
    func profile() async throws {
        let folder = try TemporaryFolder()
        let database = "sqlite:" + (try await journeys(in: folder))
        func users(_ arguments: String...) async throws -> Outcome {
            try await Nightlatch.run(["admin", "users"] + arguments + ["--database", database])
        }
        func json(_ arguments: String...) async throws -> [String: JSONValue] {
            let outcome = try await Nightlatch.run(
                ["admin", "users"] + arguments + ["--json", "--database", database])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let members = try StrictJSON.decode(JSONValue.self, from: Array(outcome.output.utf8)).object?.members
            let pairs = try #require(members).filter { $0.name != "updated_at" }.map { ($0.name, $0.value) }
            return Dictionary(uniqueKeysWithValues: pairs)
        }
        #expect(try await users("remove-profile", "alice").output == "alice  has no profile\n")
        let set = try await users(
            "set-profile", "alice", "--name", "Alice Ó Example", "--email", "a@example.com", "--email-verified")
        #expect(set.output.hasPrefix("MEMBER          VALUE\nemail           a@example.com\n"), "\(set.errors)")
        #expect(try await users("show", "alice").output.contains("\nname            Alice Ó Example\n"))
        #expect(
            try await json("set-profile", "alice", "--given-name", "Alice", "--phone-number", "112") == [
                "user": .string("alice"), "revision": .integer(2), "name": .string("Alice Ó Example"),
                "given_name": .string("Alice"), "phone_number": .string("112"), "email": .string("a@example.com"),
                "email_verified": .bool(true),
            ])
        #expect(
            try await json(
                "set-profile", "alice", "--email", "b@example.com", "--name", "", "--phone-number", "", "--family-name",
                "Ó") == [
                    "user": .string("alice"), "revision": .integer(3), "given_name": .string("Alice"),
                    "family_name": .string("Ó"), "email": .string("b@example.com"), "email_verified": .bool(false),
                ])
        #expect(try await json("show", "alice")["profile"]?["family_name"] == .string("Ó"))
        for (arguments, status, word) in [
            (["set-profile", "carol", "--name", "C"], 1, "no such user"),
            (["remove-profile", "carol"], 1, "no such user"), (["set-profile", "alice"], 2, "No option names"),
            (["set-profile", "alice", "--email", "b"], 2, "--email must be an email address"),
            (["set-profile", "alice", "--phone-number", "x"], 2, "--phone-number must be"),
            (["set-profile", "alice", "--given-name", " "], 2, "--given-name must be"),
            (["set-profile", "alice", "--email-verified"], 2, "--email-verified needs"),
            (["set-profile", "alice", "--email", "", "--email-verified"], 2, "--email-verified needs"),
        ] as [([String], Int32, String)] {
            let refused = try await Nightlatch.run(["admin", "users"] + arguments + ["--database", database])
            #expect(refused.status == status && refused.output.isEmpty, "\(arguments)")
            #expect(refused.errors.contains(word), "\(refused.errors)")
        }
        #expect(try await json("remove-profile", "alice").isEmpty)
        #expect(try await json("show", "alice")["profile"] == nil)
        let audit = try await Nightlatch.run("admin", "audit", "--user", "alice", "--database", database).output
        let changed = #/user_profile_changed +operator +alice .* email, email_verified, name +- +-\n/#
        let removed = #/user_profile_removed +operator +alice .* given_name +- +-\n/#
        #expect(audit.contains(changed) && audit.contains(removed) && !audit.contains("xample"), "\(audit)")
    }

    @Test("A missing or malformed argument is refused, and nothing is written")
    func refusals() async throws {
        let folder = try TemporaryFolder()
        let none = try await Nightlatch.run("admin", "users", "--database", "sqlite:\(folder.path)/none.sqlite")
        #expect(none.status == 2 && none.errors.contains("there is no database"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/none.sqlite"))
        let policy = try await Nightlatch.run(
            "serve", "--device-policy", "two", "--database", "sqlite:\(folder.path)/x")
        #expect(policy.status == 2 && policy.errors.contains("--device-policy takes many or one"))
        try await ServerProcess.run(in: folder) { server in
            let id = String(repeating: "0", count: 32)
            let lines: [(arguments: [String], status: Int32)] = [
                (["users", "show", "carol"], 1), (["users", "--limit", "0"], 2),
                (["devices", "block", "carol", id], 1), (["devices", "block", "carol", "no id"], 2),
                (["devices", "rename", "carol", id, " "], 2), (["audit", "--before", "yesterday"], 2),
                (["transactions", "show", id], 1), (["transactions", "list", "carol"], 1),
            ]
            for line in lines {
                let outcome = try await admin(server, line.arguments)
                #expect(outcome.status == line.status && outcome.output.isEmpty, "\(line.arguments)")
            }
        }
    }
}
