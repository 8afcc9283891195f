import ArgumentParser
import Foundation
import NightlatchPlatform
import NightlatchProgram
import NightlatchWire

/// `nightlatch admin transaction show`
struct ShowTransactionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print a transaction as JSON, with the signed decision and the key that verifies it."
    )

    @Argument(help: "The transaction's id.")
    var id: String

    @OptionGroup var options: BackendOptions

    func run() async throws {
        let id = try TransactionID.parse(id)
        let backend = try options.backend()
        do {
            let report = try await backend.transaction(id)
            report.printJSON()
        } catch {
            throw CommandFailure(error)
        }
    }
}
