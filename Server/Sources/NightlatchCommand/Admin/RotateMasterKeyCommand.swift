import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin rotate-master-key`: replaces the master key while servers run.
struct RotateMasterKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-master-key",
        abstract: "Replace the master key. Servers keep running, and nothing is lost.",
        discussion: """
            First restart each server with the new key as --other-master-key-file. Then this command lets the servers \
            seal under the new key, seals everything in the database again, and says when the file of the old key can \
            go. It can be stopped at any time: run it again with the same two files, and it continues.
            """
    )

    @OptionGroup var options: DatabaseOptions
    @OptionGroup var masterKeyOptions: MasterKeyOptions

    @Option(help: ArgumentHelp("The file of the new master key; created if it does not exist.", valueName: "file"))
    var newMasterKeyFile: String?

    @Flag(help: "Only show which keys are in use. Changes nothing.")
    var status = false

    func validate() throws {
        guard status || newMasterKeyFile != nil else {
            throw ValidationError("Name the file of the new master key with --new-master-key-file, or pass --status.")
        }
    }

    func run() async throws {
        let address = try options.address()
        try await options.withStore { opened in
            if status {
                try await MasterKeyReport(of: opened.store).lines.forEach(Self.write)
                return
            }
            let old = try masterKeyOptions.masterKey()
            let file = newMasterKeyFile ?? ""
            let new = try await newKey(in: file, replacing: old, of: opened.store)
            Self.write("old key \(old.id) in \(masterKeyOptions.file), new key \(new.id) in \(file)")
            let summary: MasterKeyRotation.Summary
            do throws(MasterKeyRotationError) {
                summary = try await MasterKeyRotation(of: opened.store, from: old, to: new).run { progress in
                    progress.line.map(Self.write)
                }
            } catch {
                throw CommandFailure(error, file: file, database: address)
            }
            for line in summary.lines(file: file) { Self.write(line) }
        }
    }

    /// Loads the new key. Creates it only if no rotation has begun: the key of a rotation in progress must be the same.
    private func newKey(
        in file: String, replacing old: MasterKey, of store: any RelyingPartyStore
    ) async throws -> MasterKey {
        let state = try await store.masterKeyState()
        do throws(SecretFileError) {
            guard state.map({ $0.sealing == old.id && $0.phase == .settled }) ?? true else {
                return try MasterKey.load(from: file)
            }
            return try MasterKey.loadOrCreate(at: file)
        } catch {
            throw CommandFailure(error, path: file)
        }
    }

    private static func write(_ line: String) { StandardStream.writeLine(line, to: .standardOutput) }
}
