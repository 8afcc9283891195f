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

    @Option(
        help: """
            The store, as sqlite:PATH or postgres://USER@HOST/NAME. (default: NIGHTLATCH_DATABASE, else \
            sqlite:nightlatch-data/nightlatch.sqlite)
            """)
    var database: String?

    func run() async throws {
        let address = try DatabaseAddress.told(by: database)
        // Opening it would make it.
        if case .sqlite(let path) = address, !FileManager.default.fileExists(atPath: path) {
            throw CommandFailure(.usage, "there is no database \(path).")
        }
        let opened = try await address.open(connectionCount: 1)
        do {
            let count = try await opened.store.forgetSigningKeys()
            try opened.close()
            StandardStream.writeLine("forgot \(count) signing \(count == 1 ? "key" : "keys")", to: .standardOutput)
        } catch {
            throw CommandFailure(error, database: address)
        }
    }
}
