import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchRelyingParty
import NightlatchWire
import Testing

/// Imports users into the databases of running servers by command.
@Suite("The import of users at the command line", .timeLimit(.minutes(10)))
struct UserImportTests {
    /// A user of the file that `Server/Tests/Import/users.py` makes.
    private struct Imported: Decodable {
        let user: String
        let password: String
        let form: String
    }

    private func importUsers(
        _ options: String..., into fleet: ServerFleet, input: [String] = []
    ) async throws -> Outcome {
        try await Nightlatch.run(
            ["admin", "users", "import"] + options + ["--database", fleet.databaseAddress], pins: input)
    }

    /// Presents a password for an enrolment code. Returns the refusal; nil for a code.
    private func refusal(of password: String, of user: String, at address: Issuer) async throws -> ProblemCode? {
        let credentials = Credentials(
            user: try #require(UserID(rawValue: user)), password: try #require(Password(rawValue: password)))
        do throws(RelyingPartyError) {
            _ = try await HTTPRelyingParty(issuer: address).enrolmentCode(credentials)
            return nil
        } catch .refused(let refusal) {
            return refusal.code
        } catch {
            throw error
        }
    }

    /// Presents a password of each user at once, at all servers.
    private func refusals(
        of password: @escaping @Sendable (Imported) -> String, of users: [Imported], at fleet: ServerFleet
    ) async throws -> [String: ProblemCode?] {
        try await withThrowingTaskGroup(of: (String, ProblemCode?).self) { group in
            for (number, user) in users.enumerated() {
                let address = fleet.addresses[number % fleet.addresses.count]
                group.addTask { (user.user, try await refusal(of: password(user), of: user.user, at: address)) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    /// The imported hashes that are stored.
    private func stored(in fleet: ServerFleet) async throws -> [String] {
        try await fleet.column("coalesce(imported, '')", of: "password").filter { !$0.isEmpty }
    }

    @Test(
        """
        Hashes that other programs made are imported while servers run: each user signs in with the right password, \
        not with a wrong one, and the server then has a hash of its own
        """, arguments: ServerFleet.Kind.allCases)
    func story(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind) { fleet in
            let file = fleet.folder.path + "/users.jsonl"
            let made = try await OpenIDServer.runPython("Import/users.py", [file])
            try #require(made.status == 0, "\(made.errors)")
            let users = try made.output.split(separator: "\n").map { line in
                try JSONDecoder().decode(Imported.self, from: Data(line.utf8))
            }
            try #require(users.count == 22)
            let whole = "created 22, replaced 0, unchanged 0, refused: exists 0, password kept 0, malformed 0\n"
            let checked = try await importUsers(file, "--dry-run", into: fleet)
            #expect(
                checked.status == 0 && checked.output == "dry run: " + whole && checked.errors.isEmpty, "\(checked)")
            #expect(try await stored(in: fleet).isEmpty)
            let imported = try await importUsers(file, into: fleet)
            #expect(imported.status == 0 && imported.output == whole && imported.errors.isEmpty, "\(imported)")
            #expect(try await stored(in: fleet).count == 22)
            let shown = try await Nightlatch.run(
                "admin", "users", "show", "bcrypt-2b-plain", "--database", fleet.databaseAddress)
            #expect(shown.output.contains("bcrypt-2b-plain@example.com"), "\(shown)")
            let exported = try await Nightlatch.run(
                "admin", "users", "export", "bcrypt-2b-plain", "--database", fleet.databaseAddress)
            #expect(exported.output.contains(#""imported_form":"bcrypt""#) && !exported.output.contains("$2b$"))

            let wrong = try await refusals(of: { $0.password.dropFirst() + "x" }, of: users, at: fleet)
            #expect(wrong.values.allSatisfy { $0 == .credentialsRefused }, "\(wrong)")
            #expect(try await stored(in: fleet).count == 22)
            for _ in 1...2 {
                let right = try await refusals(of: \.password, of: users, at: fleet)
                #expect(right.values.allSatisfy { $0 == nil }, "\(right.filter { $0.value != nil })")
                // bcrypt reads only a part of one password. Its hash stays.
                #expect(try await stored(in: fleet).count == 1)
                #expect(Set(try await fleet.column("failures", of: "password")) == ["0"])
            }
            let wrongAgain = try await refusals(of: { $0.password.dropLast(3) + "x" }, of: users, at: fleet)
            #expect(wrongAgain.values.allSatisfy { $0 == .credentialsRefused }, "\(wrongAgain)")

            let again = try await importUsers(file, "--json", into: fleet)
            #expect(again.status == 1 && again.output.contains(#""exists":21"#), "\(again)")
            #expect(again.errors.contains("line 21: the user exists, and was not changed;"), "\(again)")
            let replaced = try await importUsers(file, "--replace", into: fleet)
            #expect(replaced.status == 1 && replaced.output.contains("password kept 21,"), "\(replaced)")
            #expect(try await stored(in: fleet).count == 1)
            #expect(try await refusal(of: users[0].password, of: users[0].user, at: fleet.addresses[0]) == nil)
            let audit = try await fleet.verifyAudit()
            #expect(audit.status == 0, "\(audit)")
        }
    }

    @Test("Bad lines are refused by number and without their values, and the others are imported")
    func badLines() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let database = "sqlite:\(server.folder)/nightlatch.sqlite"
            let lines = [
                #"{"user":"alice","password_hash":"$2b$04$abcdefghijklmnopqrstuuZ0ejG0JwC5KnXGe.hg.xpwqn0LRQYmK"}"#, "",
                #"{"user":"bob","password_hash":"$2b$15$abcdefghijklmnopqrstuuZ0ejG0JwC5KnXGe.hg.xpwqn0LRQYmK"}"#,
                #"{"user":"carol","password":"hunter2"}"#, #"{"user":"dora"#,
                #"{"user":"\#(String(repeating: "e", count: 70_000))"}"#, #"{"user":"alice","password_hash":null}"#,
                #"{"user":"frank","profile":{"name":"Frank"}}"#,
            ]
            let outcome = try await Nightlatch.run(
                ["admin", "users", "import", "-", "--database", database], pins: lines)
            #expect(outcome.status == 1, "\(outcome)")
            #expect(
                outcome.output
                    == "created 2, replaced 0, unchanged 1, refused: exists 0, password kept 0, malformed 5\n",
                "\(outcome)")
            for (number, words) in [
                (2, "malformed"), (3, "a cost of at most 12"), (4, "members user, password_hash and profile"),
                (5, "malformed at byte"), (6, "longer than 16384 bytes"),
            ] {
                let line = outcome.errors.split(separator: "\n").first { $0.hasPrefix("line \(number): ") }
                #expect(line?.contains(words) == true, "\(outcome.errors)")
            }
            #expect(!outcome.errors.contains("hunter2") && !outcome.errors.contains("abcdefgh"))
            #expect(outcome.errors.contains("Not all lines were imported."))

            let missing = try await Nightlatch.run(
                "admin", "users", "import", folder.path + "/none", "--database", database)
            #expect(missing.status == 2 && missing.errors.contains("cannot read"), "\(missing)")
            let directory = try await Nightlatch.run("admin", "users", "import", folder.path, "--database", database)
            #expect(directory.status == 2 && directory.errors.contains("cannot read"), "\(directory)")
            let listed = try await Nightlatch.run("admin", "users", "list", "--database", database)
            #expect(listed.output.split(separator: "\n").count == 3, "\(listed)")
        }
    }

    @Test("An import that is killed at any moment leaves whole lines, and running it again finishes it")
    func killed() async throws {
        try await ServerFleet.with(.sqlite) { fleet in
            let file = fleet.folder.path + "/users.jsonl"
            let lines = (1...3000).map { number in
                """
                {"user":"user\(number)","password_hash":"$pbkdf2$\(number)$c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAA",\
                "profile":{"name":"User \(number)"}}

                """
            }
            try lines.joined().write(toFile: file, atomically: true, encoding: .utf8)
            var kills = 0
            for _ in 1...8 {
                let hasEnded = try await Nightlatch.runAndKill(
                    "admin", "users", "import", file, "--database", fleet.databaseAddress, pins: [],
                    after: .milliseconds(Int.random(in: 0...600)))
                kills += hasEnded ? 0 : 1
                let users = try await fleet.column("id", of: "user").count
                #expect(try await fleet.column("user_id", of: "password").count == users)
                #expect(try await fleet.column("user_id", of: "user_profile").count == users)
                #expect(users.isMultiple(of: 100))
            }
            #expect(kills > 0)
            let last = try await importUsers(file, into: fleet)
            #expect(last.status == 0, "\(last)")
            #expect(last.output.contains("refused: exists 0, password kept 0, malformed 0"), "\(last)")
            #expect(try await stored(in: fleet).count == 3000)
            let audit = try await fleet.verifyAudit()
            #expect(audit.status == 0, "\(audit)")
        }
    }
}
