import ArgumentParser
import Foundation
import NightlatchServer
import NightlatchWire

/// `nightlatch audit verify`
struct VerifyAuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Find out whether the audit log is what was written.",
        discussion: """
            It ends with 0 if nothing is wrong, and with 1 and a line for each finding if something is. Without heads that were \
            exported before, it cannot see that a chain was cut off, put back, or written anew with all its hashes.
            """
    )

    @OptionGroup var options: DatabaseOptions

    @Option(help: "The file of the master key.")
    var masterKeyFile = DataFolder.masterKey

    @Option(help: ArgumentHelp("What `nightlatch audit heads` has printed, now or earlier.", valueName: "file"))
    var heads: String?

    func run() async throws {
        let key = AuditKey(masterKey: try ServeSettings.existingMasterKey(file: masterKeyFile))
        let exported = try heads.map { try Self.read($0, signedBy: key.publicKey) } ?? []
        let inspection = try await options.withStore { try await AuditInspection(of: $0.store, heads: exported) }
        for finding in inspection.findings { StandardStream.writeLine("\(finding)", to: .standardOutput) }
        let size = "\(inspection.entryCount) entries in \(inspection.chainCount) chains"
        guard inspection.findings.isEmpty else {
            throw CommandFailure(.refused, "The audit log is not what was written: \(size), see above.")
        }
        StandardStream.writeLine("\(size), held against \(exported.count) heads: whole", to: .standardOutput)
    }

    /// Every line must be a head: one that was left out would show nothing.
    private static func read(_ path: String, signedBy key: PublicJWK) throws(CommandFailure) -> [AuditHead] {
        let text: String
        do {
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw CommandFailure(.usage, "The heads in \(path) cannot be read.")
        }
        var heads: [AuditHead] = []
        for (number, line) in text.split(separator: "\n").enumerated() {
            do {
                heads.append(try ExportedAuditHead(String(line), signedBy: key).head)
            } catch {
                throw CommandFailure(
                    .refused, "Line \(number + 1) of \(path) is no head that this relying party has signed.")
            }
        }
        return heads
    }
}
