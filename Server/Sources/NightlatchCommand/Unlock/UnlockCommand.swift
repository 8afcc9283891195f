import ArgumentParser
import Nightlatch
import NightlatchProgram
import NightlatchWire

/// `nightlatch unlock`: opens the vault, lists the names of its secrets, and locks it again.
struct UnlockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Opens the vault with the PIN and lists the names of its secrets.")

    @OptionGroup var client: ClientOptions
    @OptionGroup var pins: PinOptions

    func run() async throws {
        let open = try await OpenClient.unlock(client.clientHome(), pins)
        let names: [SecretName]
        do {
            names = try await open.vault.names()
        } catch {
            throw CommandFailure(error)
        }
        await open.vault.lock()
        for name in names { print(name) }
    }
}
