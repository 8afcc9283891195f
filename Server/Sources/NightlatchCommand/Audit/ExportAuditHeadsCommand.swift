import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch audit heads`
struct ExportAuditHeadsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "heads",
        abstract: "Print the signed head of each chain of the audit log, one per line.",
        discussion: """
            Keep the lines where a person who can change the database cannot change them: only they show later that a \
            chain was truncated, rolled back or rewritten. `nightlatch audit verify --heads FILE` accepts a file with all \
            the lines that were ever printed.
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
