import ArgumentParser
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchProgram
import NightlatchWire

/// `nightlatch register`: sets a PIN and binds this device.
struct RegisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Sets a PIN and binds this device to a user, with a one-time code.",
        discussion: """
            The code comes from the operator of the server: `nightlatch admin enrolment-code`. If anything fails on the way, run \
            the same command again, with the same code and PIN: it carries on where it stopped.

            A device that is bound already is bound again, with the keys that it has, and its vault stays. That helps where \
            the server does not know the device any more, because it was restored from a backup.
            """)

    @Option(help: ArgumentHelp("The server.", valueName: "url"))
    var server = "http://127.0.0.1:8080"

    @OptionGroup var enrolmentCode: EnrolmentCodeOption

    @Option(help: ArgumentHelp("What to call this device.", valueName: "name"))
    var name: String = ProcessInfo.processInfo.hostName

    @Flag(help: "Erase the vault and the keys that are here, whatever is in them, and begin again.")
    var replace = false

    @Flag(
        help: ArgumentHelp(
            "Have the PIN of a new vault hang on the server too, from the first write on.",
            discussion:
                "No copy of the vault's file can be searched for the PIN then, and the vault opens only while the server answers."
        ))
    var twoParty = false

    @OptionGroup var client: ClientOptions
    @OptionGroup var pins: PinOptions

    func run() async throws {
        guard let issuer = Issuer(rawValue: server) else {
            throw CommandFailure(
                .usage,
                "\(server) is no server: it takes https://…, or http:// to this machine, without a slash at the end.")
        }
        guard let deviceName = DeviceName(rawValue: name) else {
            throw CommandFailure(
                .usage,
                "A device's name has 1 to 64 characters, not all of them blank, and none that turns the direction of text."
            )
        }
        let code = try enrolmentCode.givenOrTyped()
        let home = try client.clientHome()
        if twoParty { return try await registerTwoParty(home, at: issuer, code, deviceName) }
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
        let binder = DeviceBinder(relyingParty: HTTPRelyingParty(issuer: issuer), keys: home.keys)
        do {
            let binding = try await binder.bindAgain(vault, code: code, deviceName: deviceName)
            print("bound to \(binding.user) as device \(binding.device)")
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Creates a vault, binds the device, then sets a two-party PIN. Continues an earlier run that did not finish.
    private func registerTwoParty(
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
                    "There is a vault here already: `nightlatch pin two-party` has its PIN hang on the server too. Add --replace to erase it and "
                        + "begin anew.")
            }
            // An earlier run has set the PIN, but may have been interrupted before it reported that.
            try await bind(try await openVault(home), of: home, at: issuer, code, deviceName)
            return print("the PIN hangs on \(issuer) too")
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
                failure.message + " The PIN is not set yet: run the same again, with the same code and PIN.")
        }
        print("the PIN hangs on \(issuer) too")
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
    /// If the code is tried and is another one, the vault is created again: it contains nothing but a binding. If the
    /// code could not be tried, nothing is erased.
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
                .refused, "No PIN opens the vault that is here any more. Add --replace to erase it and begin anew.")
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

    /// Asks for a new PIN that `vault` accepts. Erasing cannot be undone, so everything that the person can get wrong
    /// comes before it.
    private func allowedPin(for vault: Vault) async throws -> Pin {
        let pin = try await pins.newPin(for: .registration)
        let objections = vault.pinPolicy.objections(to: pin)
        guard objections.isEmpty else { throw CommandFailure(.refused, objections.sentence) }
        return pin
    }
}
