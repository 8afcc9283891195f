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
        let file = try out.map { path throws(CommandFailure) in try NewPrivateFile(path: path) }
        let target = file?.handle ?? .standardOutput
        try await options.withStore { opened in
            do {
                let export = try await Administration(of: opened.store).beginExport(
                    of: id, at: WallClock.system.now())
                var position: UserExport.Position? = .start
                // Ends: each part begins after the one before.
                while let start = position {
                    let part = try await export.part(at: start)
                    try Self.write(part.bytes, to: target, named: out)
                    position = part.next
                }
            } catch let error as AdministrationError {
                throw error.told
            }
        }
        try file?.publish()
    }

    private static func write(
        _ bytes: [UInt8], to target: FileHandle, named name: String?
    ) throws(CommandFailure) {
        do {
            try target.write(contentsOf: bytes)
        } catch {
            throw CommandFailure(.unavailable, "cannot write \(name ?? "the standard output").")
        }
    }
}
