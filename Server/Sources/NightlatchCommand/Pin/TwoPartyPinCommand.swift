import ArgumentParser
import Foundation
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
            The PIN stays the same, so copies of the vault from before can still be searched for it: choose another one afterwards. \
            (`nightlatch register --two-party` makes a vault that never was without the server.) From then on it opens the vault only while the server answers; the server counts wrong PINs and \
            destroys its part after too many. `nightlatch pin change` changes both parts.

            The first time no code is needed. Where the server has had a part in this device's PIN before, it takes another one only with \
            an enrolment code: `nightlatch admin enrolment-code`.
            """)

    @OptionGroup var enrolmentCode: EnrolmentCodeOption

    @OptionGroup var client: ClientOptions
    @OptionGroup var pins: PinOptions

    func run() async throws {
        let code = try enrolmentCode.given()
        let home = try client.clientHome()
        let vault = home.vault()
        if case .blocked(let unblocking) = try await OpenClient.state(of: vault) {
            throw CommandFailure(.refused, unblocking.sentence)
        }
        if let device = try await home.protection()?.hardener {
            let other = device.account?.issuer.rawValue ?? "a chip of this device"
            throw CommandFailure(.refused, "The PIN hangs on \(other) already.")
        }
        let issuer = try await pins.withPin(for: vault, reason: "to have it hang on the server too") { pin in
            try await move(vault, of: home, with: pin, code)
        }
        print("the PIN hangs on \(issuer) too")
        StandardStream.writeLine(
            "NOTE: the PIN is the same, and copies of the vault's file from before can be searched for it: backups, and deleted ones on this disk. "
                + "`nightlatch pin change` sets another, which no copy tells.",
            to: .standardError)
    }

    /// Opens the vault as it is, to learn which server it is bound with, and then again with that server.
    private func move(
        _ vault: Vault,
        of home: ClientHome,
        with pin: borrowing Pin,
        _ code: EnrolmentCode?
    ) async throws -> Issuer {
        let open = try await OpenClient.open(vault, with: pin)
        let binding = try await OpenClient(home: home, vault: open).binding()
        await open.lock()
        // What the server refuses is written down, and told below.
        let hardener = EnrollingPinHardener(home.twoPartyPin(at: binding.issuer), code: code)
        await (try OpenClient.open(home.vault(hardener: hardener), with: pin, tellsFailure: false)).lock()
        guard try await home.protection()?.hardener == nil else { return binding.issuer }
        switch hardener.failure {
        case .codeNeeded?:
            throw CommandFailure(
                .refused,
                "The server has had a part in this device's PIN before, and takes another one only with an enrolment code: run the same with "
                    + "--code. Until then the PIN opens the vault as before.")
        case let failure?: throw CommandFailure(failure)
        case nil:
            throw CommandFailure(
                .unavailable,
                "The server has no part in the PIN yet; the PIN opens the vault as before. Try the same again.")
        }
    }
}
