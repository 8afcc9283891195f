public import NightlatchWire

extension DeviceBinder {
    /// Repeats the binding of a device to the same user, and keeps the vault.
    ///
    /// Use this if the relying party no longer knows the device, for example because it was restored from an older
    /// backup. Such a relying party refuses logins with `ProblemCode.messageRefused`. This call sends it the device's
    /// existing keys, and the relying party gives the device an id. New keys are created only if the old ones cannot be
    /// used any more: they are lost or damaged, or the relying party has revoked them or bound them to another user. If
    /// the device is not bound, this does the same as ``bind(_:code:deviceName:)``.
    ///
    /// A two-party PIN belongs to the device that the relying party knew. If the relying party gives the device another
    /// id, or signs its answers with another key, that PIN no longer opens the vault. In that case open the vault for
    /// this call by biometrics or by the recovery phrase (``Vault/unlock(with:after:acceptingUnauthenticated:)``), and
    /// set a new PIN afterwards (``OpenVault/setPin(_:after:code:)``,
    /// ``Vault/recover(with:newPin:after:code:acceptingUnauthenticated:)``). The record of the old PIN is kept until
    /// then.
    ///
    /// The old binding is valid until the relying party has accepted the new one. So the call can be repeated with the
    /// same code, after a crash or a lost answer.
    ///
    /// - Throws: ``BindingError``. It is ``BindingError/alreadyBound(_:)`` if the device is bound with another relying
    ///   party, and ``BindingError/codeOfAnotherUser(_:)`` if the code is for another user. After a refusal the old
    ///   binding is unchanged, unless its keys cannot be used any more.
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
        // The code is still unused: the relying party has refused these keys, or has not seen them.
        do {
            try await forget(known, in: vault)
        } catch {
            throw BindingError(error)
        }
        return try await bind(vault, code: code, deviceName: deviceName)
    }

    /// Sends the keys of `known` to the relying party as if they were new.
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
        await keepPolicy(of: result, for: renewed, in: vault)
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
        guard let password = stored.password else { throw .vault(.corrupt) }
        do {
            return try await .find(binding.keys, password: password, in: keys)
        } catch {
            throw .key(error)
        }
    }
}

extension BindingError {
    /// Whether the keys of a binding can never be used again.
    fileprivate var endsKeys: Bool {
        switch self {
        case .key(let error): error.code == .absent || error.code == .corrupt
        case .relyingParty(.refused(let refusal)):
            refusal.isDecision && (refusal.code.endsBinding || refusal.code == .deviceKeyTaken)
        default: false
        }
    }
}
