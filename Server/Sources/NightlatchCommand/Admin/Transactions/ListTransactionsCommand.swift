import ArgumentParser
import Foundation
import NightlatchPlatform
import NightlatchProgram
import NightlatchWire

/// `nightlatch admin transaction list`
struct ListTransactionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List a user's transactions: those that are pending, and the ten newest that have ended."
    )

    @Option(help: "The user of the transactions.")
    var user: String

    @OptionGroup var options: BackendOptions

    func run() async throws {
        let user = try BackendOptions.user(user)
        let backend = try options.backend()
        let transactions: [TransactionReport]
        do {
            transactions = try await backend.transactions(of: user).transactions
        } catch {
            throw CommandFailure(error)
        }
        for transaction in transactions {
            StandardStream.writeLine(
                "\(transaction.id)  \(transaction.state.rawValue)  \(transaction.details.summary)", to: .standardOutput)
        }
    }
}
