import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin transactions …`
struct UserTransactionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transactions",
        abstract: "Show transactions in the database, and void them.",
        subcommands: [
            ListUserTransactionsCommand.self, ShowUserTransactionCommand.self, VoidUserTransactionCommand.self,
        ])
}

/// `nightlatch admin transactions list`
struct ListUserTransactionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract:
            "List a user's transactions, oldest first: all that are pending, and the fifty newest that have ended.")

    @OptionGroup var options: UserListOptions

    func run() async throws {
        try await options.print(
            { administration, user throws(AdministrationError) in try await administration.transactions(of: user) },
            table: Table.init(of:), report: { TransactionReport($0, withProof: false) })
    }
}

/// `nightlatch admin transactions show`
struct ShowUserTransactionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print a transaction as JSON, with the signed decision and the key that verifies it.")

    @Argument(help: "The transaction's id.")
    var id: String

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let id = try TransactionID.parse(id)
        let found = try await options.administer { administration throws(AdministrationError) in
            try await administration.transaction(id)
        }
        TransactionReport(found).printJSON()
    }
}

/// `nightlatch admin transactions void`
struct VoidUserTransactionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "void",
        abstract: "Void a pending transaction, as an operator. Repeating it changes nothing.")

    @Argument(help: "The transaction's id.")
    var id: String

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let id = try TransactionID.parse(id)
        let voided = try await options.administer { administration throws(AdministrationError) in
            try await administration.void(id)
        }
        StandardStream.writeLine("\(voided.id.rawValue)  \(voided.state.rawValue)", to: .standardOutput)
    }
}
