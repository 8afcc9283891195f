import ArgumentParser
import Foundation
import Nightlatch
import NightlatchProgram
import NightlatchWire

/// `nightlatch transactions`: lists the transactions that wait for the user's decision.
struct PendingTransactionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transactions",
        abstract: "Lists your pending transactions, with all their details.")

    @OptionGroup var client: ClientOptions
    @OptionGroup var pins: PinOptions

    func run() async throws {
        let session = try await OpenClient.unlock(client.clientHome(), pins).resume()
        let transactions: [PendingTransaction]
        do {
            transactions = try await session.pendingTransactions()
        } catch {
            throw CommandFailure(error)
        }
        for transaction in transactions {
            StandardStream.writeLine(transaction.id.rawValue, to: .standardOutput)
            for line in transaction.details.shownLines {
                StandardStream.writeLine("    " + line, to: .standardOutput)
            }
        }
        if transactions.isEmpty { StandardStream.writeLine("You have no pending transactions.", to: .standardError) }
    }
}
