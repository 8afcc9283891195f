public import NightlatchWire

/// Lets one account of this device log in by face or finger.
///
/// Biometrics release a key that opens the vault, and the device key in the vault signs a challenge.
///
/// ```swift
/// let biometricLogin = BiometricLogin(store: store, relyingParty: relyingParty, keys: keys)
/// if let user = try await biometricLogin.user() {
///     let session = try await biometricLogin.attempt(vault, reason: "Log in as \(user)")
/// }
/// ```
///
/// Each step is stored before it is carried out. So after a crash or a lost answer each call can be repeated, and
/// continues where it stopped.
public struct BiometricLogin: Sendable {
    let register: BiometricLoginRegister
    private let relyingParty: any RelyingParty
    private let binder: DeviceBinder
    let login: Login
    let keys: any DeviceKeys

    /// Creates the biometric login of this device.
    ///
    /// - Parameters:
    ///   - store: The store that records which account has biometric login. Use one store for the device, even if it
    ///     has several vaults.
    ///   - relyingParty: The relying party to log in to.
    ///   - keys: The device's keys.
    ///   - clientID: The app's identifier for the relying party.
    public init(
        store: any SecureStore,
        relyingParty: any RelyingParty,
        keys: any DeviceKeys,
        clientID: ClientID = .default
    ) {
        register = BiometricLoginRegister(store: store)
        self.relyingParty = relyingParty
        self.keys = keys
        binder = DeviceBinder(relyingParty: relyingParty, keys: keys, clientID: clientID)
        login = Login(relyingParty: relyingParty, keys: keys, clientID: clientID)
    }

    /// Returns the user who may log in by biometrics on this device. Nil if there is none: then do not offer biometric
    /// login. Shows no prompt.
    public func user() async throws(RegistryError) -> UserID? {
        guard case .enabled(let user) = try await register.read()?.stage else { return nil }
        return user
    }

    /// Enables biometric login for the account of `open`: creates the keys, binds them with the relying party, and sets
    /// up the currently enrolled biometrics to open the vault.
    ///
    /// A vault that is already bound with the relying party keeps its binding. There is no prompt.
    ///
    /// If the relying party refuses, the new keys are deleted and nothing is enabled. The keys stay in two cases:
    /// - If there is no answer, call again with the same code to get the same answer.
    /// - If the code was sent before and that answer was lost, the keys may be bound although the code is refused now.
    ///
    /// A call with another code deletes these keys, and so does ``disable(_:)``. If an earlier ``disable(_:)`` did not
    /// finish, this call first finishes it, and throws its errors.
    ///
    /// If the relying party's policy does not allow biometrics, nothing is enabled either, but the device stays bound.
    /// The error is ``BiometricLoginError/setUp(_:)`` with ``BiometricSetupError/notPermitted``.
    ///
    /// - Returns: The account's user, which the device stores from now on.
    /// - Throws: ``BiometricLoginError``, with ``BiometricLoginError/enabledForAnother(_:)`` if another account has
    ///   biometric login.
    @discardableResult
    public func enable(
        _ open: OpenVault,
        code: EnrolmentCode,
        deviceName: DeviceName
    ) async throws(BiometricLoginError) -> UserID {
        guard let keyring = open.vault.biometrics else { throw .setUp(.noKeyring) }
        let availability = await keyring.availability()
        guard availability == .available else { throw .setUp(.biometrics(.unavailable(availability))) }
        var stage = try await claim(for: open)
        if case .disabling = stage {
            // An earlier ``disable(_:)`` did not finish removing these keys.
            try await disable(open)
            stage = try await claim(for: open)
        }
        let binding: DeviceBinding
        do {
            binding = try await binder.bind(open, code: code, deviceName: deviceName)
        } catch {
            guard case .alreadyBound(let known) = error, known.issuer == relyingParty.issuer else {
                try await releaseUnlessHeld(open, at: stage)
                throw .binding(error)
            }
            binding = known
        }
        do {
            try await open.setUpBiometrics()
        } catch {
            // The next call would be refused too, so another account may enable biometric login.
            if error == .notPermitted { try await release(open.vaultID, at: stage) }
            throw .setUp(error)
        }
        try await record { () async throws(RegistryError) in
            try await register.set(.enabled(user: binding.user), for: open.vaultID)
        }
        return binding.user
    }

    /// Asks the user for biometrics, and logs in with a new challenge.
    ///
    /// If the relying party answers that the device was revoked or replaced, the keys are deleted and biometric login
    /// is disabled.
    ///
    /// - Parameters:
    ///   - vault: The account's vault. It is locked again when this returns.
    ///   - reason: The reason for the login, in a sentence that the system shows to the user. It must not be empty.
    public func attempt(_ vault: Vault, reason: String) async throws(BiometricLoginError) -> Session {
        let known = try await record { () async throws(RegistryError) in try await register.read() }
        guard let known, case .enabled(let user) = known.stage else { throw .notEnabled }
        let open: OpenVault
        do {
            open = try await vault.unlockWithBiometrics(reason: reason)
        } catch {
            throw .unlock(error)
        }
        guard open.vaultID == known.vaultID else {
            await open.lock()
            throw .enabledForAnother(user)
        }
        do {
            let session = try await login.logIn(open)
            await open.lock()
            return session
        } catch {
            await open.lock()
            // This call or an earlier one has removed the keys, so biometric login can no longer be offered.
            if error == .revoked || error == .notBound { try await release(known.vaultID, at: known.stage) }
            throw .login(error)
        }
    }

    /// Disables biometric login for the account of `open`: first the relying party revokes the device, then its keys
    /// are removed here.
    ///
    /// Biometrics still open the vault; ``OpenVault/removeBiometrics()`` ends that. As soon as this call begins,
    /// biometric login is no longer offered. If there is no answer, the keys stay: call again.
    ///
    /// If the answer to a binding was lost, this logs in with the keys to find out whether they are bound. If they are
    /// not, a request that is still on its way may bind them. That is possible for as long as the relying party accepts
    /// answers (usually two minutes) and one more minute. Until then this throws
    /// ``BiometricLoginError/bindingUndecided(wait:)``.
    ///
    /// A pending binding is removed at once if nothing was sent for it, if it is with another relying party, or if its
    /// keys are lost from this device.
    public func disable(_ open: OpenVault) async throws(BiometricLoginError) {
        let known = try await record { () async throws(RegistryError) in try await register.read() }
        guard let known else { return }
        guard known.vaultID == open.vaultID else { throw .enabledForAnother(known.stage.user) }
        let disabling = BiometricLoginStage.disabling(user: known.stage.user)
        try await record { () async throws(RegistryError) in
            try await register.set(disabling, for: open.vaultID)
        }
        // Another caller may continue the binding at the same time, or begin another one. The next round then handles
        // the other caller's binding.
        var retries = ConflictRetries()
        while let state = try await state(of: open) {
            switch state {
            case .bound(let binding): try await revoke(binding, open)
            case .pending(let pending): try await revoke(pending, open)
            case .leaving: break
            }
            try await remove(state, from: open)
            do {
                try await retries.again()
            } catch {
                throw .vault(.store(error))
            }
        }
        try await release(open.vaultID, at: disabling)
    }

    /// Forgets which account has biometric login, without a request or a prompt.
    ///
    /// Use this for an account with an erased vault, or for a damaged record. The keys are not removed, and the relying
    /// party still lists the device.
    public func forget() async throws(BiometricLoginError) {
        do {
            try await register.store.erase()
        } catch {
            throw .record(RegistryError(.biometricLogin, error))
        }
    }
}
