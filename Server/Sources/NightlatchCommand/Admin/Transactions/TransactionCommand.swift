import ArgumentParser
import NightlatchProgram
import NightlatchWire

/// `nightlatch admin transaction …`: the transaction requests of an app's backend, run by hand.
struct TransactionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transaction",
        abstract: "Ask a user to confirm a transaction, show its state, and void it.",
        subcommands: [
            CreateTransactionCommand.self, ShowTransactionCommand.self, ListTransactionsCommand.self,
            VoidTransactionCommand.self,
        ]
    )
}

extension TransactionID {
    /// Parses a transaction id from the command line.
    static func parse(_ text: String) throws(CommandFailure) -> TransactionID {
        guard let id = TransactionID(rawValue: text) else {
            throw CommandFailure(.usage, "“\(text)” is not a transaction id, which has 32 digits 0 to 9 and a to f.")
        }
        return id
    }
}
