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

    @Option(
        help: """
            The file of the present, old master key. NIGHTLATCH_MASTER_KEY takes precedence, if it is set. \
            (default: NIGHTLATCH_MASTER_KEY_FILE, else nightlatch-data/master.key)
            """)
    var masterKeyFile: String?

    @Option(
        help: ArgumentHelp(
            "The file of the new master key; created if it does not exist. Not needed if NIGHTLATCH_OTHER_MASTER_KEY is set.",
            valueName: "file"))
    var newMasterKeyFile: String?

    @Flag(help: "Begin although no server reports itself. Stop every server of the database first.")
    var withoutServers = false

    @Flag(help: "Only show which keys are in use. Changes nothing.")
    var status = false

    func validate() throws {
        guard status || newMasterKeyFile != nil || CommandVariable.otherMasterKey.value != nil else {
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
            let oldFile = ToldSettings.value(.masterKeyFile, flag: masterKeyFile, default: DataFolder.masterKey).text
            guard let old = try ServeSettings.masterKey(file: oldFile) else {
                throw CommandFailure(SecretFileError.missing, path: oldFile)
            }
            let oldSource = CommandVariable.masterKey.value == nil ? oldFile : CommandVariable.masterKey.rawValue
            let told = try ServeSettings.otherMasterKey(file: nil)
            let file = told == nil ? newMasterKeyFile ?? "" : CommandVariable.otherMasterKey.rawValue
            let new = if let told { told } else { try await newKey(in: file, replacing: old, of: opened.store) }
            Self.write("old key \(old.id) in \(oldSource), new key \(new.id) in \(file)")
            let summary: MasterKeyRotation.Summary
            do throws(MasterKeyRotationError) {
                summary = try await MasterKeyRotation(
                    of: opened.store, from: old, to: new, isWithoutServers: withoutServers
                ).run { progress in progress.line.map(Self.write) }
            } catch {
                throw CommandFailure(error, file: file, database: address)
            }
            for line in summary.lines { Self.write(line) }
            guard summary.damaged.isEmpty else {
                throw CommandFailure(
                    .refused,
                    "the rotation has ended, but the two-party PINs above open under neither key. If they name the key of "
                        + "a third file, keep that file. Otherwise they are damaged, and their users need a new "
                        + "enrolment code.")
            }
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
