import ArgumentParser
import Foundation
import Nightlatch
import NightlatchPlatform

/// `nightlatch doctor`: what protects the secrets on this machine, in plain words. It needs no PIN and counts as no attempt.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Says what protects the secrets on this machine, and what does not.")

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let home = client.clientHome
        let vault = home.vault()
        print("Vault: \(home.vaultPath)")
        let protection: VaultProtection?
        do {
            protection = try await vault.protection()
        } catch {
            throw CommandFailure(error)
        }
        guard let protection else {
            print("  There is none. `nightlatch register` makes one.")
            return
        }
        print("  \(try await OpenClient.state(of: vault).sentence)")
        print("  \(protection.keyDerivation.sentence)")
        for sentence in protection.store.sentences { print("  \(sentence)") }
        print("  \(try fileSentence(home.vaultPath))")
        print("  \(protection.lockoutPolicy.sentence)")
        print("Keys: \(home.keysPath)")
        print("  Device key: software, sealed under a password in the vault: a copy is worth nothing without the PIN.")
        print("  Possession key: software, in a file of its own: whoever can read your files can copy it.")
    }

    /// Whether others on this machine can read the file.
    private func fileSentence(_ path: String) throws -> String {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
        return mode & 0o077 == 0
            ? "Other users of this machine cannot read the file."
            : "WARNING: other users of this machine can read the file: run chmod 600 on it."
    }
}
