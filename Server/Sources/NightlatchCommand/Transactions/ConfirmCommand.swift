import ArgumentParser
import Foundation
import Nightlatch
import NightlatchProgram
import NightlatchWire

/// `nightlatch confirm`: shows a transaction and signs the user's decision.
struct ConfirmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm",
        abstract: "Shows a pending transaction, and confirms or rejects it.",
        discussion: """
            The command asks for the PIN twice: to get the transaction from the server, and, after it was shown, for \
            this decision. With --pin-fd, give two lines.
            """)

    @Argument(help: "The transaction's id, as `nightlatch transactions` lists it.")
    var transaction: String

    @Flag(help: "Reject the transaction instead.")
    var reject = false

    @OptionGroup var client: ClientOptions
    @OptionGroup var pins: PinOptions

    func run() async throws {
        let id = try TransactionID.parse(transaction)
        let home = try client.clientHome()
        let open = try await OpenClient.unlock(home, pins)
        let session = try await open.resume()
        await open.vault.lock()
        let transaction = try await find(id, in: session)
        for line in transaction.details.shownLines { StandardStream.writeLine(line, to: .standardError) }
        guard reject || transaction.canBeShown else { throw CommandFailure(DecisionError.cannotBeShown) }
        let vault = try await home.presentVault()
        let question = [reject ? "to reject this:" : "to confirm this:"] + transaction.details.shownLines
        try await pins.decide(
            reject ? .reject : .confirm, on: transaction, in: session, vault: vault, keys: home.keys,
            reason: question.joined(separator: "\n"))
        StandardStream.writeLine("\(id)  \(reject ? "rejected" : "confirmed")", to: .standardOutput)
    }

    private func find(_ id: TransactionID, in session: Session) async throws -> PendingTransaction {
        let transactions: [PendingTransaction]
        do {
            transactions = try await session.pendingTransactions()
        } catch {
            throw CommandFailure(error)
        }
        guard let transaction = transactions.first(where: { $0.id == id }) else {
            throw CommandFailure(
                .refused,
                "This transaction is not pending for this device. `nightlatch transactions` lists the pending ones.")
        }
        return transaction
    }
}
