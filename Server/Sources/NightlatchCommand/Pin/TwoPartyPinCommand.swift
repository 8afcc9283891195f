import ArgumentParser
import Foundation
import Nightlatch
import NightlatchProgram
import NightlatchWire

/// `nightlatch pin two-party`
struct TwoPartyPinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "two-party",
        abstract:
            "Makes the PIN a two-party PIN, so that a copy of this device's files cannot be searched for it.",
        discussion: """
            You choose a new PIN: copies of the vault from before, backups and deleted ones on this disk, can be searched for the old one. With \
            --keep-pin the PIN stays the same, and so can be found by who has such a copy. (`nightlatch bind --two-party` makes a vault \
            that never was without the server.) From then on the PIN opens the vault only while the server answers; the server counts wrong \
            PINs and destroys its part after too many. `nightlatch pin change` changes both parts.

            The first time, no code is needed. If this device had a two-party PIN before, the server requires an enrolment \
            code: `nightlatch admin enrolment-code`.
            """)

    @Flag(
        help: ArgumentHelp(
            "Keep the PIN.",
            discussion:
                "An attacker with an older copy of the vault's file can then search it for the PIN, without the server."
        ))
    var keepPin = false

    @Option(
        help: ArgumentHelp(
            "Read the new PIN as a line from this open file descriptor, which can be that of the old PIN.",
            valueName: "number"))
    var newPinFd: Int32?

    @OptionGroup var enrolmentCode: EnrolmentCodeOption

    @OptionGroup var client: ClientOptions
    @OptionGroup var pins: PinOptions

    func run() async throws {
        let code = try enrolmentCode.given()
        let home = try client.clientHome()
        let vault = home.vault()
        if case .blocked(let unblocking) = try await OpenClient.state(of: vault) {
            throw CommandFailure(PinRefusal.blocked(unblocking))
        }
        if let device = try await home.protection()?.hardener {
            let other = device.account?.issuer.rawValue ?? "a chip of this device"
            throw CommandFailure(.refused, "The PIN already depends on \(other).")
        }
        if keepPin, newPinFd != nil { throw CommandFailure(.usage, "--keep-pin and --new-pin-fd exclude each other.") }
        let (open, pin) = try await pins.unlock(vault, reason: "to make the PIN a two-party PIN", keepsPin: true)
        // The vault records the server that the device is bound to.
        let issuer = try await OpenClient(home: home, vault: open).binding().issuer
        await open.lock()
        guard let old = pin?.take() else { throw CommandFailure(.defect, "a PIN was taken twice") }
        let new = try await newPin(otherThan: old)
        do {
            let open = try await home.vault(hardener: home.twoPartyPin(at: issuer))
                .moveToTwoPartyPin(from: old, to: new, code: code)
            OpenClient.tell(open.foreignGuesses, open.rekeyFailure)
            await open.lock()
        } catch {
            guard error == .rekey(.hardener(.codeNeeded)) else { throw CommandFailure(error) }
            throw CommandFailure(
                .refused,
                "This device had a two-party PIN before, so the server requires an enrolment code: run the command again with "
                    + "--code. Until then the PIN opens the vault as before.")
        }
        print("the PIN is a two-party PIN with \(issuer)")
        guard keepPin else { return }
        StandardStream.writeLine(
            "NOTE: the PIN is the same, and older copies of the vault's file (backups, deleted files on this disk) can be "
                + "searched for it. `nightlatch pin change` sets a new PIN, which no older copy reveals.",
            to: .standardError)
    }

    /// Returns the PIN for the vault: with `--keep-pin` the old one, otherwise a new one.
    ///
    /// Old copies of the vault reveal nothing about a new PIN.
    private func newPin(otherThan old: borrowing Pin) async throws -> Pin {
        if keepPin { return old.copy() }
        var newPins = PinOptions()
        newPins.pinFd = newPinFd
        newPins.pad = pins.pad
        let new = try await newPins.newPin(for: .changePin, otherThan: PinBox(old.copy()))
        guard !new.isEqual(to: old) else {
            throw CommandFailure(
                .refused,
                "This is the vault's current PIN: older copies of its file can be searched for it. Choose another PIN, or add "
                    + "--keep-pin. Nothing was changed.")
        }
        return new
    }
}
