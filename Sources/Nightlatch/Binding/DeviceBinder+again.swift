public import NightlatchWire

extension DeviceBinder {
    /// Binds a device that is bound already once more to the same user, and keeps the vault.
    ///
    /// For a relying party that does not know the device any more, for instance because it was restored from an older backup: logins
    /// are refused with `ProblemCode.messageRefused`. The relying party gets the keys that the device has, and names the device. Only where
    /// those cannot serve any more (they are lost or damaged, or the relying party has revoked them or has them for somebody else) new ones
    /// are made. A device that is not bound is bound as by ``bind(_:code:deviceName:)``.
    ///
    /// A two-party PIN belongs to the device that the relying party knew. If the relying party names another device, or answers by another key, that PIN
    /// opens the vault no more: open it by biometrics or by the phrase (``Vault/unlock(with:after:acceptingUnauthenticated:)``) for this call,
    /// and set a new PIN after it (``OpenVault/setPin(_:after:code:)``,
    /// ``Vault/recover(with:newPin:after:code:acceptingUnauthenticated:)``). What is there of the old PIN is kept until then.
    ///
    /// The old binding holds until the relying party has accepted the new one, so the call can be repeated after a crash or a lost
    /// answer, with the same code.
    ///
    /// - Throws: ``BindingError``: ``BindingError/alreadyBound(_:)`` for a device that is bound with another relying party, and
    ///   ``BindingError/codeOfAnotherUser(_:)``. After a refusal the old binding is as it was, except where its keys cannot serve any more.
    public func bindAgain(
        _ vault: OpenVault,
        code: EnrolmentCode,
        deviceName: DeviceName
    ) async throws(BindingError) -> DeviceBinding {
        let known: DeviceBinding?
        do {
            known = try await vault.deviceBinding()
        } catch {
            throw .vault(error)
        }
        guard let known else { return try await bind(vault, code: code, deviceName: deviceName) }
        guard known.issuer == relyingParty.issuer else { throw .alreadyBound(known) }
        do {
            return try await renew(known, in: vault, code: code, deviceName: deviceName)
        } catch {
            guard error.endsKeys else { throw error }
        }
        // The code was not used up: the relying party has refused these keys, or has not seen them.
        do {
            try await forget(known, in: vault)
        } catch {
            throw BindingError(error)
        }
        return try await bind(vault, code: code, deviceName: deviceName)
    }

    /// Shows the keys of `known` to the relying party as if they were new.
    private func renew(
        _ known: DeviceBinding,
        in vault: OpenVault,
        code: EnrolmentCode,
        deviceName: DeviceName
    ) async throws(BindingError) -> DeviceBinding {
        let pair = try await keys(of: known, in: vault)
        let result = try await runCeremony(
            known.keys, pair, in: vault, code: code, deviceName: deviceName, user: known.user)
        let renewed = DeviceBinding(
            issuer: known.issuer, user: known.user, device: result.device, keys: known.keys,
            answerKey: result.answerKey ?? known.answerKey)
        let isRenewed: Bool
        do {
            isRenewed = try await vault.replaceBinding(known, with: renewed)
        } catch {
            throw .vault(error)
        }
        guard isRenewed else { throw .superseded }
        return renewed
    }

    private func keys(of binding: DeviceBinding, in vault: OpenVault) async throws(BindingError) -> BindingKeys {
        let stored: StoredBinding
        do {
            stored = try await vault.storedBinding()
        } catch {
            throw .vault(error)
        }
        guard stored.state == .bound(binding) else { throw .superseded }
        guard let password = stored.password else { throw .vault(.record(.corrupt)) }
        do {
            return try await .find(binding.keys, password: password, in: keys)
        } catch {
            throw .key(error)
        }
    }
}

extension BindingError {
    /// Whether the keys of a binding can never serve again.
    fileprivate var endsKeys: Bool {
        switch self {
        case .key(let error): error.code == .absent || error.code == .corrupt
        case .relyingParty(.refused(let refusal)):
            refusal.isDecision && (refusal.code.endsBinding || refusal.code == .deviceKeyTaken)
        default: false
        }
    }
}
