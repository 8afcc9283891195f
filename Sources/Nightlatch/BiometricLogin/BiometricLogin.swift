public import NightlatchWire

/// Lets one account of this device log in by face or finger: biometrics release a key that opens the vault, and the device key in it signs
/// a challenge.
///
/// ```swift
/// let biometricLogin = BiometricLogin(store: store, relyingParty: relyingParty, keys: keys)
/// if let user = try await biometricLogin.user() {
///     let session = try await biometricLogin.attempt(vault, reason: "Log in as \(user)")
/// }
/// ```
///
/// What is about to be done is written down before it is done, so each call can be repeated after a crash or a lost answer, and goes on
/// where it stopped.
public struct BiometricLogin: Sendable {
    let register: BiometricLoginRegister
    private let relyingParty: any RelyingParty
    private let binder: DeviceBinder
    let login: Login
    let keys: any DeviceKeys

    /// - Parameters:
    ///   - store: Where it is kept which account has biometric login: one store for the device, whichever vaults there are.
    ///   - relyingParty: Whom to log in to.
    ///   - keys: The device's keys.
    ///   - clientID: The app.
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

    /// Who may log in by biometrics on this device; nil if nobody, and then it is not to be offered. Nobody is asked for anything.
    public func user() async throws(BiometricLoginRecordError) -> UserID? {
        guard case .enabled(let user) = try await register.read()?.stage else { return nil }
        return user
    }

    /// Enables it for the account of `open`: makes the keys, has the relying party bind them, and lets biometrics open the vault, those
    /// that are enrolled now. A vault that is bound with the relying party already keeps its binding.
    ///
    /// If the relying party refuses, the new keys are deleted and nothing is enabled. If there is no answer, the keys stay: call again with
    /// the same code, which gets the same answer. Keys stay too if a code is refused that was sent before without an answer: they may be
    /// bound. A call with another code deletes them, and so does ``disable(_:)``. Where disabling was begun and not ended, it is ended first, and
    /// its errors are those of this call. The person is not asked.
    ///
    /// - Returns: The account's user, who is kept on the device from now on.
    /// - Throws: ``BiometricLoginError``, ``BiometricLoginError/enabledForAnother(_:)`` where another account has it.
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
            // Somebody wanted to be rid of those keys.
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
            throw .setUp(error)
        }
        try await record { () async throws(BiometricLoginRecordError) in
            try await register.set(.enabled(user: binding.user), for: open.vaultID)
        }
        return binding.user
    }

    /// Asks the person for biometrics, and logs in with a new challenge.
    ///
    /// If the relying party says that the device was revoked or replaced, its keys are deleted and it is not enabled any more.
    ///
    /// - Parameters:
    ///   - vault: The account's vault. It is locked again when this returns.
    ///   - reason: Why, in a sentence that the system shows to the person; not empty.
    public func attempt(_ vault: Vault, reason: String) async throws(BiometricLoginError) -> Session {
        let known = try await record { () async throws(BiometricLoginRecordError) in try await register.read() }
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
            // Its keys are gone, by this call or by an earlier one: there is nothing to be offered any more.
            if error == .revoked || error == .notBound { try await release(known.vaultID, at: known.stage) }
            throw .login(error)
        }
    }

    /// Disables it for the account of `open`: the relying party revokes the device first, then its keys are removed here. Biometrics go on
    /// opening the vault; ``OpenVault/removeBiometrics()`` ends that.
    ///
    /// From the beginning of this call on it is not offered any more. If there is no answer the keys stay: call again.
    ///
    /// Where the answer to a binding was lost, the keys find out by logging in. If they are not bound, what was sent may still come to that, for
    /// as long as the relying party takes answers (two minutes, usually) and a minute more: until then this throws
    /// ``BiometricLoginError/bindingUndecided(wait:)``. A binding for which nothing was sent yet is let go at once, and so is one that this relying
    /// party cannot be asked about: under way with another one, or with keys that are lost from this device.
    public func disable(_ open: OpenVault) async throws(BiometricLoginError) {
        let known = try await record { () async throws(BiometricLoginRecordError) in try await register.read() }
        guard let known else { return }
        guard known.vaultID == open.vaultID else { throw .enabledForAnother(known.stage.user) }
        let disabling = BiometricLoginStage.disabling(user: known.stage.user)
        try await record { () async throws(BiometricLoginRecordError) in
            try await register.set(disabling, for: open.vaultID)
        }
        // Somebody may go on with the binding meanwhile, or begin another: then that one is asked about.
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
                throw .vault(.record(.store(error)))
            }
        }
        try await release(open.vaultID, at: disabling)
    }

    /// Forgets which account has it, without asking anybody: for an account whose vault was erased, or a record that is damaged. Keys
    /// are not removed, and at the relying party the device stays.
    public func forget() async throws(BiometricLoginError) {
        do {
            try await register.store.erase()
        } catch {
            throw .record(.store(error))
        }
    }
}
