import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty

/// `nightlatch admin users import`
struct ImportUsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Create users with profiles and with password hashes of another system.",
        discussion: """
            Each line of the file is a JSON object: user, and optionally password_hash and profile. Hashes are of \
            Argon2id, bcrypt or PBKDF2. The server verifies a hash when the user next presents the password, and then \
            replaces it by its own. Other lines are imported if one is refused. The import can be repeated: a user who \
            already has exactly the imported password and profile is not changed.
            """)

    @Argument(help: "The file of JSON lines; - for standard input.")
    var file: String

    @Flag(
        help: """
            Also change users who exist: replace the whole profile, and a password that was imported and not used \
            since. A password that the user has used or changed since is kept.
            """)
    var replace = false

    @Flag(help: "Check each line, and say what the import would do. Nothing is written.")
    var dryRun = false

    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var options: DatabaseOptions

    /// The number of lines between two messages about the progress.
    private static let progressLength = 10_000

    func run() async throws {
        let mode: UserImportMode =
            dryRun ? (replace ? .checkReplace : .checkCreate) : (replace ? .replace : .create)
        let hasFindings = try await options.withStore { opened in
            var lines = try Self.reading(file, else: .usage) { path throws(SystemError) in
                try LineSource(path: path)
            }
            var work = UserImport(into: opened.store, mode: mode)
            do {
                try await importLines(of: &lines, by: &work)
            } catch {
                report(work)
                Self.tell("stopped after line \(work.lastLine). Run the command again: it skips what is imported.")
                throw error
            }
            report(work)
            return work.hasFindings
        }
        if hasFindings {
            throw CommandFailure(
                .refused, dryRun ? "Not all lines would be imported." : "Not all lines were imported.")
        }
    }

    private func importLines(of lines: inout LineSource, by work: inout UserImport) async throws {
        while let line = try Self.reading(
            file, else: .unavailable, { _ throws(SystemError) in try lines.next(limit: UserImport.longestLine) })
        {
            let bytes: [UInt8]? =
                switch line {
                case .bytes(let bytes): bytes
                case .tooLong: nil
                }
            Self.tell(try await work.add(bytes, number: lines.number))
            if lines.number.isMultiple(of: Self.progressLength) { Self.tell("\(lines.number) lines") }
        }
        Self.tell(try await work.finish())
    }

    private static func reading<Value: ~Copyable>(
        _ path: String, else exit: CommandExit, _ work: (String) throws(SystemError) -> Value
    ) throws(CommandFailure) -> Value {
        do {
            return try work(path)
        } catch {
            throw CommandFailure(exit, "cannot read \(path): \(error).")
        }
    }

    private static func tell(_ findings: [UserImport.Finding]) {
        for finding in findings { tell("line \(finding.line): \(finding).") }
    }

    private static func tell(_ text: String) { StandardStream.writeLine(text, to: .standardError) }

    private func report(_ work: UserImport) {
        let report = UserImportReport(of: work)
        if json { return report.printJSON() }
        StandardStream.writeLine((dryRun ? "dry run: " : "") + report.line, to: .standardOutput)
    }
}

/// The numbers of lines of an import by what became of them.
private struct UserImportReport: Encodable {
    let created: Int
    let exists: Int
    let malformed: Int
    let passwordKept: Int
    let replaced: Int
    let unchanged: Int

    init(of work: UserImport) {
        created = work.counts[.created, default: 0]
        exists = work.counts[.exists, default: 0]
        malformed = work.malformedCount
        passwordKept = work.counts[.passwordKept, default: 0]
        replaced = work.counts[.replaced, default: 0]
        unchanged = work.counts[.unchanged, default: 0]
    }

    var line: String {
        """
        created \(created), replaced \(replaced), unchanged \(unchanged), refused: exists \(exists), \
        password kept \(passwordKept), malformed \(malformed)
        """
    }

    private enum CodingKeys: String, CodingKey {
        case created, exists, malformed, replaced, unchanged
        case passwordKept = "password_kept"
    }
}
