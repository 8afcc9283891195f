import ArgumentParser
import Nightlatch
import NightlatchTwoPartyPin
import NightlatchWire

/// `nightlatch pin two-party`
struct TwoPartyPinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "two-party",
        abstract:
            "Has the PIN hang on the server too, so that nobody can search for it in a copy of this device's files.",
        discussion: """
            The PIN stays the same. From then on it opens the vault only while the server answers; the server counts wrong PINs and \
            destroys its part after too many. `nightlatch pin change` changes both parts.
            """)

    @OptionGroup var client: ClientOptions
    @OptionGroup var pins: PinOptions

    func run() async throws {
        let home = try client.clientHome()
        if let device = try await home.protection()?.hardener {
            let other = device.account?.issuer.rawValue ?? "a chip of this device"
            throw CommandFailure(.refused, "The PIN hangs on \(other) already.")
        }
        let vault = home.vault()
        let issuer = try await pins.withPin(for: vault, reason: "to have it hang on the server too") { pin in
            try await move(vault, of: home, with: pin)
        }
        guard try await home.protection()?.hardener != nil else {
            throw CommandFailure(
                .unavailable,
                "The server has no part in the PIN yet; the PIN opens the vault as before. Try the same again.")
        }
        print("the PIN hangs on \(issuer) too")
    }

    /// Opens the vault as it is, to learn which server it is bound with, and then again with that server.
    private func move(_ vault: Vault, of home: ClientHome, with pin: borrowing Pin) async throws -> Issuer {
        let open = try await OpenClient.open(vault, with: pin)
        let binding = try await OpenClient(home: home, vault: open).binding()
        await open.lock()
        let hardener = home.twoPartyPin(at: binding.issuer)
        do throws(PinHardenerError) {
            // Moving fails without a word, since it is no unlock's business. So whether it can succeed is asked before.
            let standing = try await hardener.standing(of: HardenedDevice(binding))
            guard !standing.isCodeRequired || standing.epoch != nil else { throw PinHardenerError.codeNeeded }
        } catch {
            throw CommandFailure(error)
        }
        await (try OpenClient.open(home.vault(hardener: hardener), with: pin)).lock()
        return binding.issuer
    }
}
