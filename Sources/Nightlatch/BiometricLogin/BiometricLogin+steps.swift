import NightlatchWire

extension BiometricLogin {
    func revoke(_ binding: DeviceBinding, _ open: OpenVault) async throws(BiometricLoginError) {
        let session: Session
        do {
            session = try await login.resume(open)
        } catch {
            // The device is already revoked: by an earlier call that got no answer, or by another caller.
            if error == .revoked || error == .notBound { return }
            throw .login(error)
        }
        try await revoke(session)
    }

    /// Asks the relying party to revoke the device, if it has completed the binding `pending`.
    func revoke(_ pending: PendingBinding, _ open: OpenVault) async throws(BiometricLoginError) {
        guard let begun = pending.begun, pending.issuer == login.relyingParty.issuer else { return }
        let outcome: PendingBindingLogin
        do {
            outcome = try await login.logIn(pending, of: begun.user, in: open)
        } catch {
            throw .login(error)
        }
        switch outcome {
        case .loggedIn(let session): try await revoke(session)
        case .unknown(let now):
            // The clocks of the relying party's processes may differ.
            let end = begun.expiresAt + MessageLife.clockTolerance
            guard now > end else { throw .bindingUndecided(wait: end - now + .seconds(1)) }
        case .worthless: break
        }
    }

    private func revoke(_ session: Session) async throws(BiometricLoginError) {
        do {
            _ = try await session.revoke(session.device)
        } catch {
            if case .relyingParty(.refused(let refusal)) = error, refusal.isDecision, refusal.code.endsBinding {
                return
            }
            throw .revocation(error)
        }
    }

    /// Removes the keys of the binding, if it still equals `state`.
    func remove(_ state: BindingState, from open: OpenVault) async throws(BiometricLoginError) {
        do {
            try await open.forgetBinding(ifStill: state, keys: keys)
        } catch {
            throw .removal(error)
        }
    }

    func claim(for open: OpenVault) async throws(BiometricLoginError) -> BiometricLoginStage {
        let claimed = try await record { () async throws(RegistryError) in
            try await register.claim(for: open.vaultID)
        }
        if let claimed { return claimed.stage }
        throw .enabledForAnother(
            try await record { () async throws(RegistryError) in try await register.read()?.stage.user })
    }

    /// Releases the record after a failed binding, so that another account can use biometric login.
    ///
    /// Keeps it if this account's binding is pending, bound with this relying party, or being removed.
    func releaseUnlessHeld(_ open: OpenVault, at stage: BiometricLoginStage) async throws(BiometricLoginError) {
        switch try await state(of: open) {
        case .pending, .leaving: return
        case .bound(let binding) where binding.issuer == login.relyingParty.issuer: return
        case .bound, nil: try await release(open.vaultID, at: stage)
        }
    }

    func state(of open: OpenVault) async throws(BiometricLoginError) -> BindingState? {
        do {
            return try await open.storedBinding().state
        } catch {
            throw .vault(error)
        }
    }

    func release(_ vaultID: VaultID, at stage: BiometricLoginStage) async throws(BiometricLoginError) {
        try await record { () async throws(RegistryError) in
            try await register.release(vaultID, at: stage)
        }
    }

    func record<Value>(
        _ work: () async throws(RegistryError) -> Value
    ) async throws(BiometricLoginError) -> Value {
        do {
            return try await work()
        } catch {
            throw .record(error)
        }
    }
}
