import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch audit verify`
struct VerifyAuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Find out whether the audit log is what was written.",
        discussion: """
            It ends with 0 if nothing is wrong, and with 1 and a line for each finding if something is. Without heads that were \
            exported before, it cannot see that a chain was cut off, put back, or written anew with all its hashes: then it does \
            not call the log whole. Files of heads in which there is none end it with 1.
            """
    )

    @OptionGroup var options: DatabaseOptions
    @OptionGroup var masterKeyOptions: MasterKeyOptions

    @Option(
        help: ArgumentHelp(
            "What `nightlatch audit heads` or `nightlatch serve --audit-heads-file` has written; may be given again.",
            valueName: "file"))
    var heads: [String] = []

    func run() async throws {
        let key = AuditKey(masterKey: try masterKeyOptions.masterKey()).publicKey
        var (exported, refusals): ([AuditHead], [String]) = ([], [])
        for path in heads {
            let contents = try Self.read(path, signedBy: key)
            exported += contents.heads.map(\.head)
            refusals += contents.refusedLines.map {
                "\(path), line \($0): not a head that this relying party has signed"
            }
        }
        let inspection = try await options.withStore { try await Self.inspect($0.store, exported) }
        for finding in refusals + inspection.findings.map(\.description) {
            StandardStream.writeLine(finding, to: .standardOutput)
        }
        let size =
            "\(inspection.entryCount) entries in \(inspection.chainCount) chains, \(exported.count) exported heads"
        guard inspection.findings.isEmpty else {
            throw CommandFailure(.refused, "the audit log is not what was written (\(size)); see above.")
        }
        guard refusals.isEmpty else {
            throw CommandFailure(
                .refused, "the audit log holds together (\(size)), but not every head could be read; see above.")
        }
        guard heads.isEmpty || !exported.isEmpty else {
            throw CommandFailure(
                .refused,
                "warning: the audit log holds together (\(size)), but there is no head in \(heads.joined(separator: ", ")): what was "
                    + "cut off, put back or written anew was not looked for.")
        }
        StandardStream.writeLine(
            exported.isEmpty
                ? "\(size): holds together; without --heads, what was cut off, put back or written anew was not looked for"
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
                "the audit log cannot be read: its table is gone, or is not as this version makes it (\(error)). Somebody else has "
                    + "changed the database. Keep it and restore a backup.")
        }
    }

    private static func read(
        _ path: String,
        signedBy key: PublicJWK
    ) throws(CommandFailure) -> AuditHeadFile.Contents {
        do {
            return try AuditHeadFile(path: path).read(signedBy: key)
        } catch {
            switch error {
            case .missing: throw CommandFailure(.usage, "there is no file \(path).")
            case .failed(let errno):
                throw CommandFailure(.unavailable, "cannot read \(path): \(SystemError(number: errno)).")
            }
        }
    }
}
