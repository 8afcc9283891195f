import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch audit verify`
struct VerifyAuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify the audit log.",
        discussion: """
            It exits with 0 if it finds no defect, and otherwise with 1 and a line for each finding. Without exported \
            heads it cannot detect that a chain was truncated, rolled back, or rewritten with all its hashes; then it \
            does not call the log whole. It also exits with 1 if the files of heads contain none.
            """
    )

    @OptionGroup var options: DatabaseOptions
    @OptionGroup var masterKeyOptions: MasterKeyOptions

    @Option(
        help: ArgumentHelp(
            "A file written by `nightlatch audit heads` or `nightlatch serve --audit-heads-file`; can be repeated.",
            valueName: "file"))
    var heads: [String] = []

    func run() async throws {
        _ = try masterKeyOptions.keyring()
        let database = try options.address()
        let key = try await options.withStore { opened in
            AuditKey(try await masterKeyOptions.secrets(in: opened, at: database).kept).publicKey
        }
        var (exported, refusals): ([AuditHead], [String]) = ([], [])
        for path in heads {
            let contents = try Self.read(path, signedBy: key)
            exported += contents.standingHeads
            if !contents.lostHeads.isEmpty {
                StandardStream.writeLine(
                    "\(path): a restored database was accepted; heads that it lacks and that are not compared: "
                        + "\(contents.lostHeads.count)", to: .standardOutput)
            }
            refusals += contents.refusedLines.map {
                "\(path), line \($0): not a head that this relying party has signed"
            }
        }
        let inspection = try await options.withStore { try await Self.inspect($0.store, exported) }
        if inspection.erasedEntryCount > 0 {
            StandardStream.writeLine(
                "entries of deleted users, whose names were erased: \(inspection.erasedEntryCount)", to: .standardOutput
            )
        }
        for finding in refusals + inspection.findings.map(\.description) {
            StandardStream.writeLine(finding, to: .standardOutput)
        }
        let size =
            "\(inspection.entryCount) entries in \(inspection.chainCount) chains, \(exported.count) exported heads"
        guard inspection.findings.isEmpty else {
            throw CommandFailure(.refused, "the audit log is damaged or was changed (\(size)); see above.")
        }
        guard refusals.isEmpty else {
            throw CommandFailure(
                .refused,
                "the hashes of the audit log are consistent (\(size)), but some exported heads are invalid; see above.")
        }
        guard heads.isEmpty || !exported.isEmpty else {
            throw CommandFailure(
                .refused,
                "warning: the hashes of the audit log are consistent (\(size)), but there is no head in "
                    + "\(heads.joined(separator: ", ")): truncation, rollback and rewriting are not detected.")
        }
        StandardStream.writeLine(
            exported.isEmpty
                ? "\(size): the hashes are consistent; without --heads, truncation, rollback and rewriting are not "
                    + "detected"
                : "\(size): whole", to: .standardOutput)
    }

    private static func inspect(
        _ store: any RelyingPartyStore,
        _ heads: [AuditHead]
    ) async throws -> AuditInspection {
        do {
            return try await AuditInspection(of: store, heads: heads)
        } catch {
            guard error.kind == .defect else { throw error }
            // Opening the store checked the schema version, so another program must have changed the table.
            throw CommandFailure(
                .refused,
                "the audit log cannot be read: its table is missing, or differs from the one that this version creates "
                    + "(\(error)). Another program has changed the database. Keep it and restore a backup.")
        }
    }

    private static func read(
        _ path: String,
        signedBy key: PublicJWK
    ) throws(CommandFailure) -> AuditHeadFile.Contents {
        do {
            return try AuditHeadFile(path: path).read(signedBy: key)
        } catch {
            throw CommandFailure(error == .missing ? .usage : .unavailable, "cannot read \(path): \(error.reason).")
        }
    }
}
