import Nightlatch
import NightlatchPlatform
import NightlatchTwoPartyPin
import NightlatchWire

/// The vault of the app's user, and the keys of this device.
struct Wallet: Sendable {
    let server: HTTPRelyingParty
    let keys: any DeviceKeys
    let vault: Vault

    init(at issuer: Issuer, keys: any DeviceKeys, store: any SecureStore) {
        server = HTTPRelyingParty(issuer: issuer)
        self.keys = keys
        vault = Vault(
            store: store, clock: SystemLockoutClock(),
            hardener: TwoPartyPin(relyingParty: server, keys: keys))
    }
}

extension Wallet {
    /// Sets the user up. After a crash or a lost answer, call it again with the same code and the same PIN.
    ///
    /// - Returns: The vault, opened by the PIN.
    func setUp(_ pin: borrowing Pin, code: EnrolmentCode, deviceName: DeviceName) async throws -> OpenVault {
        let protection = try await vault.protection()
        // An earlier call has set the PIN, but was interrupted before it returned.
        if let protection, !protection.isPinProvisional { return try await vault.unlock(with: pin) }
        let open =
            if protection == nil {
                try await vault.createForTwoPartyPin(resumableWith: code)
            } else {
                try await vault.resumeForTwoPartyPin(with: code)
            }
        _ = try await DeviceBinder(relyingParty: server, keys: keys).bindAgain(open, code: code, deviceName: deviceName)
        try await open.setTwoPartyPin(pin)
        await open.lock()
        return try await vault.unlock(with: pin)
    }
}

extension Wallet {
    func move(from old: borrowing Pin, to new: borrowing Pin) async throws(ChangePinError) -> OpenVault {
        try await vault.moveToTwoPartyPin(from: old, to: new)
    }
}

extension Wallet {
    enum Answer: Sendable {
        /// Show the warning, if there is one.
        case open(OpenVault, warning: String?)
        case refused(PinRefusal)
        /// The server did not answer. Ask again when there is a connection.
        case offline
    }

    func unlock(with pin: borrowing Pin) async throws -> Answer {
        do {
            let open = try await vault.unlock(with: pin)
            return .open(open, warning: warning(of: open))
        } catch UnlockError.refused(let refusal) {
            return .refused(refusal)
        } catch UnlockError.vault(let error) {
            guard case .checkNetwork = error.advice else { throw UnlockError.vault(error) }
            return .offline
        }
    }

    private func warning(of open: OpenVault) -> String? {
        guard let guesses = open.foreignGuesses, guesses.surelyForeign > 0 else { return nil }
        let tries = "Your PIN was tried \(guesses.surelyForeign) times on a copy of this phone."
        return open.rekeyFailure == nil ? tries + " The copy is worthless now." : tries + " Connect to stop this."
    }
}
