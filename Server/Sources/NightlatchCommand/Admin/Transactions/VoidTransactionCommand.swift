import ArgumentParser
import Foundation
import NightlatchPlatform
import NightlatchProgram
import NightlatchWire

/// `nightlatch admin transaction void`
struct VoidTransactionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "void",
        abstract: "Void a pending transaction."
    )

    @Argument(help: "The transaction's id.")
    var id: String

    @OptionGroup var options: BackendOptions

    func run() async throws {
        let id = try TransactionID.parse(id)
        let backend = try options.backend()
        do {
            let report = try await backend.void(id)
            StandardStream.writeLine("\(report.id)  \(report.state.rawValue)", to: .standardOutput)
        } catch {
            throw CommandFailure(error)
        }
    }
}
