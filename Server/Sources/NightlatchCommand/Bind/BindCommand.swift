import ArgumentParser
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchProgram
import NightlatchWire

/// `nightlatch bind`: sets a PIN and binds this device.
struct BindCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bind",
        abstract: "Sets a PIN and binds this device to a user, with a one-time code.",
        discussion: """
            The code comes from the operator of the server: `nightlatch admin enrolment-code`. If the command fails, run it \
            again with the same code and PIN: it continues where it stopped.

            A bound device is bound again with its keys, and its vault stays. That helps if the server no longer knows the \
            device, for example because the server was restored from a backup.
            """)

    @Option(help: ArgumentHelp("The server.", valueName: "url"))
    var server = "http://127.0.0.1:8080"

    @OptionGroup var enrolmentCode: EnrolmentCodeOption

    @Option(help: ArgumentHelp("The name of this device.", valueName: "name"))
    var name: String = ProcessInfo.processInfo.hostName

    @Flag(help: "Erase this device's vault and keys with all their contents, and start over.")
    var replace = false

    @Flag(
        help: ArgumentHelp(
            "Make the PIN of a new vault a two-party PIN, from the first write on.",
            discussion:
                "Then no copy of the vault's file can be searched for the PIN, and the vault opens only while the server "
                + "answers."
        ))
    var twoParty = false

    @OptionGroup var client: ClientOptions
    @OptionGroup var pins: PinOptions

    func run() async throws {
        guard let issuer = Issuer(rawValue: server) else {
            throw CommandFailure(
                .usage,
                "\(server) is not a server: use https://…, or http:// to this machine, without a slash at the end.")
        }
        guard let deviceName = DeviceName(rawValue: name) else {
            throw CommandFailure(
                .usage,
                "A device's name has 1 to 64 characters, at least one of them visible, and none that changes the text "
                    + "direction."
            )
        }
        let code = try enrolmentCode.givenOrTyped()
        let home = try client.clientHome()
        if twoParty { return try await bindWithTwoPartyPin(home, at: issuer, code, deviceName) }
        let vault = try await replace ? makeVault(in: home) : openVault(home)
        try await bind(vault, of: home, at: issuer, code, deviceName)
    }

    private func bind(
        _ vault: OpenVault,
        of home: ClientHome,
        at issuer: Issuer,
        _ code: EnrolmentCode,
        _ deviceName: DeviceName
    ) async throws {
        let binder = DeviceBinder(relyingParty: home.relyingParty(at: issuer), keys: home.keys)
        do {
            let binding = try await binder.bindAgain(vault, code: code, deviceName: deviceName)
            print("bound to \(binding.user) as device \(binding.device)")
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Creates a vault, binds the device, then sets a two-party PIN. Continues an earlier run that did not finish.
    private func bindWithTwoPartyPin(
        _ home: ClientHome,
        at issuer: Issuer,
        _ code: EnrolmentCode,
        _ deviceName: DeviceName
    ) async throws {
        let protection = try await replace ? nil : home.protection()
        if let protection, !protection.isPinProvisional {
            guard protection.hardener?.account?.issuer == issuer else {
                throw CommandFailure(
                    .refused,
                    "This device already has a vault: `nightlatch pin two-party` makes its PIN a two-party PIN. Add --replace "
                        + "to erase it and start over.")
            }
            // An earlier run has set the PIN, but may have been interrupted before it reported that.
            try await bind(try await openVault(home), of: home, at: issuer, code, deviceName)
            return print("the PIN is a two-party PIN with \(issuer)")
        }
        let vault = home.vault(hardener: home.twoPartyPin(at: issuer))
        let pin = try await allowedPin(for: vault)
        if replace { try await home.erase() }
        let isUnfinished = protection?.isPinProvisional == true
        let open = isUnfinished ? try await resume(vault, in: home, code) : try await create(vault, code)
        try await bind(open, of: home, at: issuer, code, deviceName)
        do {
            try await open.setTwoPartyPin(pin)
        } catch {
            let failure = CommandFailure(error)
            throw CommandFailure(
                failure.exit,
                failure.message + " The PIN is not set yet: run the command again, with the same code and PIN.")
        }
        print("the PIN is a two-party PIN with \(issuer)")
    }

    private func create(_ vault: Vault, _ code: EnrolmentCode) async throws -> OpenVault {
        do {
            return try await vault.createForTwoPartyPin(resumableWith: code)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Opens the vault of an interrupted run.
    ///
    /// If the vault refuses the code, erases the vault and creates another. The erased vault contained only a binding,
    /// which the caller repeats. If the code could not be tried, erases nothing.
    private func resume(_ vault: Vault, in home: ClientHome, _ code: EnrolmentCode) async throws -> OpenVault {
        do {
            return try await vault.resumeForTwoPartyPin(with: code)
        } catch {
            switch error {
            case .refused(.wrong), .refused(.blocked), .refused(.erased): break
            default: throw CommandFailure(error)
            }
        }
        try await home.erase()
        return try await create(vault, code)
    }

    private func openVault(_ home: ClientHome) async throws -> OpenVault {
        switch try await OpenClient.state(of: home.vault()) {
        case .absent, .erased:
            return try await makeVault(in: home)
        case .blocked:
            throw CommandFailure(
                .refused, "No PIN opens this vault any more. Add --replace to erase it and start over.")
        case .ready, .waiting:
            return try await OpenClient.unlock(home, pins).vault
        }
    }

    /// Creates a vault with a new PIN. Erases an existing vault only with `--replace`.
    private func makeVault(in home: ClientHome) async throws -> OpenVault {
        let pin = try await allowedPin(for: home.vault())
        if replace { try await home.erase() }
        do {
            return try await home.vault().create(with: pin)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Asks for a new PIN that `vault` accepts.
    ///
    /// Callers do this before they erase a vault: the user may cancel or choose a PIN that the policy refuses, and
    /// erasing cannot be undone.
    private func allowedPin(for vault: Vault) async throws -> Pin {
        let pin = try await pins.newPin(for: .registration)
        let objections = vault.objections(to: pin)
        guard objections.isEmpty else { throw CommandFailure(.refused, objections.sentence) }
        return pin
    }
}
