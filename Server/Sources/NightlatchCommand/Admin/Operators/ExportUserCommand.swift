import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin users export`
struct ExportUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write everything that the server keeps about a user, as one JSON document.",
        discussion: """
            The document contains no secret: no hash of a password, code or token, and no sealed key. The audit log records \
            the export. A file is created under a temporary name, only its owner can read it, and it gets its name when \
            it is complete.
            """)

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: ArgumentHelp("The new file. (default: standard output)", valueName: "file"))
    var out: String?

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let id = try BackendOptions.user(user)
        let file = try out.map { path throws(CommandFailure) in try Self.newFile(path) }
        try await options.withStore { opened in
            do {
                let export = try await Administration(of: opened.store, by: .operator).beginExport(
                    of: id, at: WallClock.system.now())
                for try await part in export { try Self.write(part, to: file) }
            } catch let error as AdministrationError {
                throw error.told
            }
        }
        do throws(NewFileError) {
            try file?.publish()
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func newFile(_ path: String) throws(CommandFailure) -> NewFile {
        do throws(NewFileError) {
            guard !FileManager.default.fileExists(atPath: path) else { throw .exists(path: path) }
            return try NewFile(beside: path)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Writes to the file, or to the standard output if there is none.
    private static func write(_ bytes: [UInt8], to file: NewFile?) throws(CommandFailure) {
        do {
            if let file { try file.write(bytes) } else { try FileHandle.standardOutput.write(contentsOf: bytes) }
        } catch let error as NewFileError {
            throw CommandFailure(error)
        } catch {
            throw CommandFailure(.unavailable, "cannot write to the standard output.")
        }
    }
}
