import ArgumentParser
import Foundation
import NightlatchServer

/// `nightlatch admin forget-signing-keys`: the way on for an operator whose master key is lost.
struct ForgetSigningKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget-signing-keys",
        abstract: "Forget the keys that sign access tokens, whose master key is lost.",
        discussion: """
            Stop every server of the database first. The next one that starts makes a new key, under the master key that it has \
            then. Access tokens and enrolment codes that were given out are worth nothing from then on; devices stay bound, and \
            their refresh tokens are good.
            """
    )

    @Option(help: "The store, as sqlite:PATH.")
    var database = "sqlite:" + DataFolder.database

    func run() async throws {
        let path = try SQLitePath.parse(database)
        // Opening it would make it.
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(.usage, "there is no database \(path).")
        }
        do {
            let store = try SQLiteStore(path: path)
            let count = try await store.forgetSigningKeys()
            try store.close()
            StandardStream.writeLine("forgot \(count) signing \(count == 1 ? "key" : "keys")", to: .standardOutput)
        } catch {
            throw CommandFailure(error, database: path)
        }
    }
}
