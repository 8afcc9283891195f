import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch audit heads`
struct ExportAuditHeadsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "heads",
        abstract: "Print how far each chain of the audit log has come, signed, a line each.",
        discussion: """
            Keep the lines where nobody can change them who can change the database: only they show later that a chain was cut \
            off, put back or written anew. `nightlatch audit verify --heads FILE` takes all that were ever printed, one after the \
            other.
            """
    )

    @OptionGroup var options: DatabaseOptions
    @OptionGroup var masterKeyOptions: MasterKeyOptions

    func run() async throws {
        let key = AuditKey(masterKey: try masterKeyOptions.masterKey())
        let heads = try await options.withStore { try await $0.store.auditHeads() }
        for head in heads {
            StandardStream.writeLine(try key.sign(head, at: WallClock.system.now()), to: .standardOutput)
        }
    }
}
