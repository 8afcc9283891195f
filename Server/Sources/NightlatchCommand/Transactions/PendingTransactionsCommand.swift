import ArgumentParser
import Nightlatch
import NightlatchProgram

/// `nightlatch transactions`: lists the transactions and the logins elsewhere that wait for the user's decision.
struct PendingTransactionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transactions",
        abstract: "Lists your pending transactions and logins, with all their details.")

    @OptionGroup var client: ClientOptions
    @OptionGroup var pins: PinOptions

    func run() async throws {
        let session = try await OpenClient.unlock(client.clientHome(), pins).resume()
        try await PendingDecisions(of: session).tell()
    }
}
