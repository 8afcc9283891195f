import Foundation
import GRDB
import NightlatchRelyingParty
import NightlatchWire
import Subprocess
import Testing

/// Starts servers with invalid settings. A server that starts all the same ends at once, because its input ends.
@Suite("Settings that a server refuses at its start", .timeLimit(.minutes(10)))
struct ServeRefusalTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var database: String { folder.path + "/nightlatch.sqlite" }
    private var masterKey: String { folder.path + "/master.key" }
    private var backendKey: String { folder.path + "/backend.key" }
    private var adminKey: String { folder.path + "/admin.key" }

    private func serve(
        _ options: [String] = [],
        environment: [String: String] = [:]
    ) async throws -> Outcome {
        let updates = environment.map { (Subprocess.Environment.Key(stringLiteral: $0.key), $0.value as String?) }
        return try await Nightlatch.run(
            [
                "serve", "--until-stdin-ends", "--listen", "127.0.0.1:0", "--master-key-file", masterKey,
                "--backend-key-file", backendKey,
            ] + options,
            environment: .inherit.updating(Dictionary(uniqueKeysWithValues: updates)))
    }

    private func serveDatabase() async throws -> Outcome {
        try await serve(["--database", "sqlite:" + database, "--admin-key-file", adminKey])
    }

    private func write(_ text: String, to path: String, mode: Int = 0o600) throws {
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode]))
    }

    @Test(
        "An invalid configuration file is refused, and the message names the wrong member",
        arguments: [
            (
                #"{"databse":"sqlite:x"}"#,
                "has an unknown setting “databse”. The settings are: database, databaseConnections, listen"
            ),
            (#"{"masterKey":"AAAA"}"#, "has an unknown setting “masterKey”"),
            (#"{"listen":8080}"#, "must have a text for “listen”"),
            (#"{"issuer":null}"#, "must have a text for “issuer”"),
            (#"{"shutdownSeconds":"5"}"#, "must have a number for “shutdownSeconds”"),
            (#"{"shutdownSeconds":-1}"#, "serve.json takes whole seconds from 0 to 3600"),
            (#"{"guessRounds":4}"#, "must have a text for “guessRounds”"),
            (#"{"guessRounds":"4,1m"}"#, "takes 1 to 20 rounds with a wait between each two"),
            (#"{"guessRounds":"4,1m,0"}"#, "takes rounds of at least one guess and 100 guesses together"),
            (#"{"guessRounds":"4,1d,4"}"#, "takes waits from 1s to 24h"),
            (#"{"guessRounds":"4,2m,4,1m,4"}"#, "takes waits of which none is shorter than the previous one"),
            (#"{"guessRounds":"4,1m,4","guessLimit":8}"#, "exclude each other"),
            (#"{"addressRate":"5"}"#, "must have a number for “addressRate”"),
            (#"{"addressRate":-1}"#, "requests a second from 0 to 1000000"),
            (#"{"accountRate":1000001}"#, "logins a minute from 0 to 1000000"),
            (#"{"concurrentRequests":0}"#, "a number from 1 to 1000000"),
            (#"{"arrivalSeconds":0}"#, "whole seconds from 1 to 3600"),
            (#"{"connections":0}"#, "a number from 1 to 1000000"),
            (#"{"addressConnections":"5"}"#, "must have a number for “addressConnections”"),
            (#"{"trustedProxies":"10.0.0.0/8, 10.0.0.1/8"}"#, "not “10.0.0.1/8”"),
            (#"{"trustedProxies":"proxy.example"}"#, "not “proxy.example”"),
            (#"{"signingKeyDays":"90"}"#, "must have a number for “signingKeyDays”"),
            (#"{"signingKeyDays":-1}"#, "whole days from 0 to 3650"),
            (#"{"listen":"127.0.0.1:0","listen":"0.0.0.0:0"}"#, "contains “listen” twice"),
            (#"["listen"]"#, "is not a JSON object"), ("{", "is not valid JSON at byte 1"), ("", "is not valid JSON"),
            (#"{"issuer":"http://example.com"}"#, "cannot name a relying party"),
            (
                #"{"issuer":"https://login.example/"}"#,
                "must not end with a slash: use https://login.example. It comes from"
            ),
            (#"{"database":"mysql:x"}"#, "takes sqlite:PATH or postgres://"),
        ])
    func configuration(text: String, message: String) async throws {
        let path = folder.path + "/serve.json"
        try write(text, to: path)
        for outcome in [
            try await serve(["--config", path]), try await serve(environment: ["NIGHTLATCH_CONFIG": path]),
        ] {
            #expect(outcome.status == 2, "\(outcome.errors)")
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
        }
    }

    @Test("A valid configuration file is read, and the environment takes precedence")
    func precedence() async throws {
        let path = folder.path + "/serve.json"
        try write(#"{"database":"sqlite:\#(database)","shutdownSeconds":1}"#, to: path)
        let taken = try await serve(["--config", path])
        #expect(taken.status == 0, "\(taken.errors)")
        #expect(FileManager.default.fileExists(atPath: database))
        let other = try await serve(["--config", path], environment: ["NIGHTLATCH_SHUTDOWN_SECONDS": "soon"])
        #expect(other.status == 2 && other.errors.contains("NIGHTLATCH_SHUTDOWN_SECONDS takes"), "\(other.errors)")
        for setting in ["ADDRESS_RATE", "ACCOUNT_RATE", "CONCURRENT_REQUESTS", "TRUSTED_PROXIES"] {
            let refused = try await serve(["--config", path], environment: ["NIGHTLATCH_" + setting: "many"])
            #expect(refused.status == 2 && refused.errors.contains("NIGHTLATCH_\(setting) takes"), "\(refused.errors)")
            #expect(refused.errors.contains("not “many”"), "\(refused.errors)")
        }
    }

    @Test("An invalid number of connections is refused", arguments: ["0", "1001", "many"])
    func connections(count: String) async throws {
        let outcome = try await serve(environment: ["NIGHTLATCH_DATABASE_CONNECTIONS": count])
        #expect(
            outcome.status == 2 && outcome.errors.contains("NIGHTLATCH_DATABASE_CONNECTIONS takes"), "\(outcome.errors)"
        )
    }

    @Test("A missing configuration file is refused with a message")
    func noConfiguration() async throws {
        let outcome = try await serve(["--config", folder.path + "/none.json"])
        #expect(outcome.status == 2 && outcome.errors.contains("No such file"), "\(outcome.errors)")
    }

    @Test("A new key is reported with its path, also when it replaces a lost one; an existing key is not reported")
    func madeKeys() async throws {
        let first = try await serveDatabase()
        for key in [masterKey, backendKey, adminKey] {
            #expect(first.errors.contains("notice nightlatch: Made a key file=\(key)\n"), "\(first.errors)")
        }
        #expect(try await serveDatabase().errors.contains("Made a key") == false)
        try FileManager.default.removeItem(atPath: backendKey)
        let again = try await serveDatabase()
        #expect(again.status == 0 && again.errors.contains("Made a key file=\(backendKey)\n"), "\(again.errors)")
    }

    @Test("A database in use without its master key is refused, and no new key is made")
    func missingMasterKey() async throws {
        #expect(try await serveDatabase().status == 0)
        try FileManager.default.moveItem(atPath: masterKey, toPath: masterKey + ".away")
        let refused = try await serveDatabase()
        #expect(refused.status == 2 && refused.output.isEmpty)
        #expect(refused.errors.contains("there is no file \(masterKey), and keys in sqlite:"), "\(refused.errors)")
        #expect(refused.errors.contains("Put it back") && refused.errors.contains("forget-signing-keys"))
        #expect(!FileManager.default.fileExists(atPath: masterKey))
        try FileManager.default.moveItem(atPath: masterKey + ".away", toPath: masterKey)
        #expect(try await serveDatabase().status == 0)
    }

    @Test("A server announces itself only when it has all its addresses, and reports an address that it cannot use")
    func addresses() async throws {
        // Not an address of this machine (RFC 5737).
        let foreign = "192.0.2.1:9"
        for options in [["--metrics-address", foreign], ["--listen", foreign, "--issuer", "https://login.example"]] {
            let refused = try await serve(["--database", "sqlite:" + database] + options)
            #expect(refused.status == 3 && refused.output.isEmpty, "\(refused)")
            let sentence = #/nightlatch: cannot serve on 192\.0\.2\.1:9: Can.*t assign requested address\.\n/#
            #expect(refused.errors.contains(sentence), "\(refused.errors)")
        }
    }

    @Test(
        "A damaged database, a later version and another master key are refused with a status that means do not retry")
    func databases() async throws {
        let first = try await serveDatabase()
        #expect(first.status == 0, "\(first.errors)")

        try write(Base64URL.encode([UInt8](repeating: 1, count: 32)), to: masterKey)
        let otherKey = try await serveDatabase()
        #expect(otherKey.status == 1 && otherKey.errors.contains("another master key"), "\(otherKey.errors)")

        try await DatabaseQueue(path: database).write { database in
            try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 from the future')")
        }
        let later = try await serveDatabase()
        #expect(later.status == 1 && later.errors.contains("by a later version"), "\(later.errors)")

        try write(String(repeating: "This is a letter. ", count: 400), to: database)
        let damaged = try await serveDatabase()
        #expect(damaged.status == 1 && damaged.errors.contains("damaged"), "\(damaged.errors)")
    }

    @Test("Without a database, forgetting signing keys is an error and creates no database")
    func nothingToForget() async throws {
        let outcome = try await Nightlatch.run(
            "admin", "forget-signing-keys", "--database", "sqlite:" + database)
        #expect(outcome.status == 2 && outcome.errors.contains("there is no database"), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: database))
    }

    @Test("An unreachable database or a missing table gets another message than a damaged one")
    func unreachableDatabase() async throws {
        let away = try await serve(["--database", "sqlite:\(folder.path)/none/nightlatch.sqlite"])
        #expect(away.status == 2 && away.errors.contains("there is no folder \(folder.path)/none."), "\(away.errors)")
        let misplaced = try await serve(["--database", "sqlite:" + folder.path])
        #expect(misplaced.status == 2 && misplaced.errors.contains("is a folder"), "\(misplaced.errors)")
        _ = try await serveDatabase()
        try await DatabaseQueue(path: database).write { database in
            try database.execute(sql: "DROP TABLE signing_key")
        }
        #expect(try await serveDatabase().status == 70)
    }

    @Test(
        "A key file that others may read, that contains no key or that is a link is refused with a message",
        arguments: [0, 1, 2])
    func keys(index: Int) async throws {
        let path = [masterKey, backendKey, adminKey][index]
        try write(Base64URL.encode([UInt8](repeating: 1, count: 32)), to: path, mode: 0o644)
        let open = try await serveDatabase()
        #expect(open.status == 1 && open.errors.contains("chmod 600 \(path)"), "\(open.errors)")
        try write("no key!\n", to: path)
        let malformed = try await serveDatabase()
        #expect(malformed.status == 1 && malformed.errors.contains("does not contain a key"), "\(malformed.errors)")
        try FileManager.default.moveItem(atPath: path, toPath: path + ".real")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".real")
        let link = try await serveDatabase()
        #expect(link.status == 1 && link.errors.contains("is a folder, a pipe or a link"), "\(link.errors)")
    }

    @Test("A missing backend key is a usage error of a command that needs it")
    func missingKey() async throws {
        let outcome = try await Nightlatch.run(
            "admin", "enrolment-code", "--user", "alice", "--backend-key-file", folder.path + "/none.key")
        #expect(outcome.status == 2 && outcome.errors.contains("there is no file"), "\(outcome.errors)")
    }

    @Test(
        "An invalid key in an environment variable is refused with the name of the variable",
        arguments: ["NIGHTLATCH_MASTER_KEY", "NIGHTLATCH_ADMIN_KEY"])
    func keysInEnvironment(name: String) async throws {
        let outcome = try await serve(["--database", "sqlite:" + database], environment: [name: "short"])
        #expect(outcome.status == 2 && outcome.errors.contains("\(name) is not"), "\(outcome.errors)")
    }

    @Test(
        "With an admin key the server prints the console's address but never the key; without one there is no console")
    func console() async throws {
        let made = try await serveDatabase()
        #expect(made.output.contains("/console, admin key in \(adminKey)\n"), "\(made.errors)")
        let key = try AdminKey.loadOrCreate(at: adminKey)
        let options = ["--database", "sqlite:" + database]
        let told = try await serve(options, environment: ["NIGHTLATCH_ADMIN_KEY": key.rawValue])
        #expect(told.output.contains("/console, admin key in NIGHTLATCH_ADMIN_KEY\n"), "\(told.errors)")
        for outcome in [made, told] {
            #expect(!outcome.output.contains(key.rawValue) && !outcome.errors.contains(key.rawValue))
        }
        #expect(try await serve(options).output.contains("console") == false)
    }
}
