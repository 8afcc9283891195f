import ArgumentParser
import Nightlatch
import NightlatchPlatform

/// `nightlatch doctor`: what protects the secrets on this machine, in plain words. It needs no PIN and counts as no attempt.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Says what protects the secrets on this machine, and what does not.")

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let home = try client.clientHome()
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
            print("  \(try FileAccess(path: home.vaultPath).sentence)")
            for sentence in try FolderAccess(path: home.path).sentences { print("  \(sentence)") }
            print("  \(protection.lockoutPolicy.sentence)")
            for sentence in TimeNamespaces().sentences { print("  \(sentence)") }
        } else {
            print("  There is none. `nightlatch register` makes one.")
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
