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
        _ = try masterKeyOptions.keyring()
        let database = try options.address()
        let (key, heads) = try await options.withStore { opened in
            let key = AuditKey(try await masterKeyOptions.secrets(in: opened, at: database).kept)
            return (key, try await opened.store.auditHeads())
        }
        for head in heads {
            StandardStream.writeLine(try key.sign(head, at: WallClock.system.now()), to: .standardOutput)
        }
    }
}
