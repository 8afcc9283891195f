import NightlatchWire

extension BiometricLogin {
    func revoke(_ binding: DeviceBinding, _ open: OpenVault) async throws(BiometricLoginError) {
        let session: Session
        do {
            session = try await login.resume(open)
        } catch {
            // Revoked by an earlier call whose answer was lost, or by somebody else.
            if error == .revoked || error == .notBound { return }
            throw .login(error)
        }
        try await revoke(session)
    }

    /// Has the relying party revoke what `pending` has become there, if anything. With another relying party it is let go as it is.
    func revoke(_ pending: PendingBinding, _ open: OpenVault) async throws(BiometricLoginError) {
        guard let user = pending.user, pending.issuer == login.relyingParty.issuer else { return }
        let session: Session?
        do {
            session = try await login.logIn(pending, of: user, in: open)
        } catch {
            throw .login(error)
        }
        if let session { try await revoke(session) }
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

    func remove(_ tags: BindingKeyTags, from open: OpenVault) async throws(BiometricLoginError) {
        do {
            try await open.forgetBinding(tags, isRevoked: false, keys: keys)
        } catch {
            throw .removal(error)
        }
    }

    func claim(for open: OpenVault) async throws(BiometricLoginError) -> BiometricLoginStage {
        let claimed = try await record { () async throws(BiometricLoginRecordError) in
            try await register.claim(for: open.vaultID)
        }
        if let claimed { return claimed.stage }
        throw .enabledForAnother(
            try await record { () async throws(BiometricLoginRecordError) in try await register.read()?.stage.user })
    }

    /// After a failed binding: another account may have it if nothing of this one is left or under way.
    func releaseUnlessPending(_ open: OpenVault) async throws(BiometricLoginError) {
        switch try await state(of: open) {
        case .pending, .leaving: return
        case .bound, nil: try await release(open.vaultID)
        }
    }

    func state(of open: OpenVault) async throws(BiometricLoginError) -> BindingState? {
        do {
            return try await open.storedBinding().state
        } catch {
            throw .vault(error)
        }
    }

    func release(_ vaultID: VaultID) async throws(BiometricLoginError) {
        try await record { () async throws(BiometricLoginRecordError) in try await register.release(vaultID) }
    }

    func record<Value>(
        _ work: () async throws(BiometricLoginRecordError) -> Value
    ) async throws(BiometricLoginError) -> Value {
        do {
            return try await work()
        } catch {
            throw .record(error)
        }
    }
}
