import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchSQLite

/// `nightlatch admin backup`
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the SQLite database to a new file, and verify the copy.",
        discussion: """
            Servers can keep running. The copy has the state at one moment, and only its owner can read it. It does not \
            contain the master key and the backend key: keep these in another place. Without the master key the copy is of \
            no use. For PostgreSQL use pg_dump; see docs/operations.md.
            """
    )

    @Argument(help: ArgumentHelp("The new file.", valueName: "file"))
    var copy: String

    @OptionGroup var options: DatabaseOptions

    func run() throws {
        let path = try options.sqlitePath(for: "pg_dump")
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(.usage, "there is no database \(path).")
        }
        do {
            let contents = try SQLiteBackup.write(path, to: copy)
            StandardStream.writeLine(
                "copied sqlite:\(path) to \(copy), and verified the copy: \(contents.summary)", to: .standardOutput)
        } catch {
            throw CommandFailure(error, copying: "sqlite:\(path)", to: copy)
        }
    }
}

/// `nightlatch admin restore`
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replace the SQLite database with a copy that `backup` wrote.",
        discussion: """
            Stop every server of the database first, and wait two minutes before you start them again: challenges that \
            were used since the copy was made expire within this time. The copy is verified first. The earlier database is \
            kept beside the restored one, and its path is printed. For PostgreSQL use pg_restore; see docs/operations.md.
            """
    )

    @Argument(help: ArgumentHelp("The copy.", valueName: "file"))
    var copy: String

    @OptionGroup var options: DatabaseOptions

    func run() throws {
        let path = try options.sqlitePath(for: "pg_restore")
        do {
            let (contents, earlier) = try SQLiteBackup.restore(copy, to: path, now: Date())
            StandardStream.writeLine("restored sqlite:\(path) from \(copy): \(contents.summary)", to: .standardOutput)
            if let earlier {
                StandardStream.writeLine("the earlier database is \(earlier)", to: .standardOutput)
            }
        } catch {
            throw CommandFailure(error, copying: copy, to: "sqlite:\(path)")
        }
    }
}

extension DatabaseOptions {
    /// The path of a SQLite database.
    ///
    /// - Parameter program: The program to use for PostgreSQL.
    fileprivate func sqlitePath(for program: String) throws(CommandFailure) -> String {
        guard case .sqlite(let path) = try address() else {
            throw CommandFailure(
                .usage, "this command is for SQLite. For PostgreSQL use \(program), as docs/operations.md shows.")
        }
        return path
    }
}

extension SQLiteBackup.Contents {
    fileprivate var summary: String {
        "\(userCount) \(userCount == 1 ? "user" : "users"), \(deviceCount) \(deviceCount == 1 ? "device" : "devices"), "
            + "\(auditEntryCount) \(auditEntryCount == 1 ? "entry" : "entries") of the audit log"
    }
}

extension CommandFailure {
    fileprivate init(_ error: SQLiteBackupError, copying source: String, to target: String) {
        switch error {
        case .missing(let path): self.init(.usage, "there is no file \(path).")
        case .exists(let path): self.init(NewFileError.exists(path: path))
        case .damaged(let defects):
            self.init(
                .refused,
                "\(source) is damaged" + defects.map { "\n  \($0)" }.joined()
                    + "\nNothing was changed. Keep the file, and restore a copy that is whole.")
        case .foreign: self.init(.refused, "\(source) is not a database of Nightlatch.")
        case .unmerged(let log):
            self.init(
                .refused,
                "\(log) is not empty, so the file beside it is only a part of a database. A copy by `nightlatch admin backup` "
                    + "has no such file. If it is left over from a database that you have removed, move it away.")
        case .inUse: self.init(.refused, "a process has the database \(target) open. Stop every server of it.")
        case .failed(let path, let errno): self.init(NewFileError.failed(path: path, errno: errno))
        case .store(let error):
            self.init(CommandExit(error.kind), "cannot copy \(source) to \(target): \(error).")
        }
    }
}
