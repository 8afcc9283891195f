import ArgumentParser
import Nightlatch
import NightlatchPlatform
import NightlatchProgram

/// `nightlatch doctor`: explains what protects the secrets on this machine. Needs no PIN and charges no attempt.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Shows what protects the secrets on this machine, and what does not.")

    @OptionGroup var client: ClientOptions

    /// A note about the copies that the command cannot find.
    private static let deletedCopies =
        "Older copies of the file are overwritten before they are deleted, as far as the file system allows. This command "
        + "cannot tell whether a journal, a snapshot, a backup or spare disk blocks keep one. A copy from before the "
        + "two-party PIN can be searched for the PIN of that time."

    func run() async throws {
        let home = try client.offlineHome()
        let vault = home.vault()
        print("Vault: \(home.vaultPath)")
        if let protection = try await home.protection() {
            print("  \(try await OpenClient.state(of: vault).sentence)")
            print("  \(protection.keyDerivation.sentence)")
            for sentence in Thieves(of: protection).sentences { print("  \(sentence)") }
            for sentence in protection.store.sentences(
                isHardened: protection.hardener != nil && !protection.hasLocalTier)
            {
                print("  \(sentence)")
            }
            if protection.hardener?.account != nil, !protection.hasLocalTier { print("  \(Self.deletedCopies)") }
            print("  \(try FileAccess(path: home.vaultPath).sentence)")
            for sentence in try FolderAccess(path: home.path).sentences { print("  \(sentence)") }
            print("  \(protection.lockoutPolicy.sentence)")
            for sentence in TimeNamespaces().sentences { print("  \(sentence)") }
        } else {
            print("  There is none. `nightlatch bind` creates one.")
        }
        print("Keys: \(home.keysPath)")
        let keys = try await FoundKey.all(in: home)
        if keys.isEmpty { print("  There are none.") }
        for key in keys {
            print("  \(key.name)")
            for sentence in key.sentences { print("    \(sentence)") }
        }
    }
}
