import Nightlatch
import NightlatchWire

/// The old SDK, as far as the move needs it. The implementation calls only existing code.
protocol OldSDK: Sendable {
    /// Returns whether this device has a registration. Throws, and never returns false, if that cannot be found out.
    func isRegistered() async throws -> Bool
    /// Logs in with the old PIN.
    ///
    /// - Returns: Nil if the PIN is wrong. The old server counts it.
    func logIn(with digits: borrowing SecretBytes) async throws -> (any OldLogin)?
    /// Lets your backend remove the registration at the old server, as the user of this session. Then removes it from
    /// this device. Can be repeated.
    func remove(as session: Session) async throws
}

/// A login of the old SDK.
protocol OldLogin: Sendable {
    /// Asks your backend for an enrolment code. The backend verifies the old login.
    func enrolmentCode() async throws -> EnrolmentCode
    /// Returns a secret that the old SDK protects, or nil if there is none with that name.
    func secret(named name: SecretName) async throws -> SecretBytes?
}

struct SDKMigration: Sendable {
    let vault: Vault
    let old: any OldSDK
    let binder: DeviceBinder
    let login: Login
    let deviceName: DeviceName
    /// The secrets that move, under the names that they have in the vault.
    let secrets: Set<SecretName>

    enum Stage {
        /// There is nothing old: register a new user.
        case nothingToMove
        /// Ask for the old PIN, and call ``move(with:newPin:)``.
        case notBegun
        /// The move was interrupted. Ask for the vault's PIN, open the vault, and call ``finish(in:)``.
        case cutOff
        /// Only the vault exists.
        case done
    }

    func stage() async throws -> Stage {
        let hasVault = try await vault.state() != .absent
        return switch (hasVault, try await old.isRegistered()) {
        case (false, false): .nothingToMove
        case (false, true): .notBegun
        case (true, true): .cutOff
        case (true, false): .done
        }
    }

    /// Moves everything. After an error or a crash, call it again with the same PINs.
    ///
    /// - Parameters:
    ///   - digits: The digits that the user typed for the old PIN.
    ///   - newPin: The same digits, if the vault's policy has no objections to them; otherwise a PIN that the user has
    ///     chosen.
    /// - Returns: The vault, open; nil if the old PIN is wrong.
    func move(with digits: borrowing SecretBytes, newPin: borrowing Pin) async throws -> OpenVault? {
        guard let oldLogin = try await old.logIn(with: digits) else { return nil }
        switch try await vault.state() {
        case .absent, .erased: try await vault.create(with: newPin).lock()
        case .ready, .waiting, .blocked: break
        }
        let open = try await vault.unlock(with: newPin)
        for name in secrets.subtracting(try await open.names()) {
            guard let secret = try await oldLogin.secret(named: name) else { continue }
            try await open.set(secret, named: name)
        }
        if try await open.deviceBinding() == nil {
            let code = try await oldLogin.enrolmentCode()
            _ = try await binder.bind(open, code: code, deviceName: deviceName)
        }
        _ = try await finish(in: open)
        return open
    }

    /// Removes the old registration, if the new one has proved to work.
    ///
    /// - Parameter open: The vault, opened by its PIN.
    /// - Returns: False if the old registration is still needed: ask for the old PIN too, and call
    ///   ``move(with:newPin:)``.
    func finish(in open: OpenVault) async throws -> Bool {
        // The device is bound after all secrets were copied.
        guard try await open.deviceBinding() != nil else { return false }
        try await old.remove(as: try await login.logIn(open))
        return true
    }
}
