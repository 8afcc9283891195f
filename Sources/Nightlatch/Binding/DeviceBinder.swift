public import NightlatchWire

/// Binds this device to a user with a relying party, and removes the binding again.
///
/// The device key is created for one vault. Its application password is a secret of the vault, so the key signs only
/// after the PIN has opened the vault. A key in hardware stays there.
public struct DeviceBinder: Sendable {
    let relyingParty: any RelyingParty
    let keys: any DeviceKeys
    let clientID: ClientID

    public init(relyingParty: any RelyingParty, keys: any DeviceKeys, clientID: ClientID = .default) {
        self.relyingParty = relyingParty
        self.keys = keys
        self.clientID = clientID
    }

    /// Binds the device to the user that the enrolment code was issued for.
    ///
    /// Each step is stored in the vault before it is carried out, so the call can be repeated after a crash or a lost
    /// answer. A repeated call with the same code uses the same keys and gets the relying party's answer again. Several
    /// concurrent calls with the same code, also in several processes, create one binding. A call with another code, or
    /// at another relying party, removes the pending binding and begins a new one.
    ///
    /// If the relying party has a policy for the user, the vault keeps it (``OpenVault/policy()``).
    ///
    /// - Throws: ``BindingError``.
    public func bind(
        _ vault: OpenVault,
        code: EnrolmentCode,
        deviceName: DeviceName
    ) async throws(BindingError) -> DeviceBinding {
        let (pending, pair) = try await prepare(vault, code: code)
        let result: BindingResult
        do {
            result = try await runCeremony(pending.keys, pair, in: vault, code: code, deviceName: deviceName)
        } catch {
            if case .relyingParty(.refused(let refusal)) = error {
                try await settle(refusal, of: pending, in: vault)
            }
            throw error
        }
        let binding = DeviceBinding(
            issuer: relyingParty.issuer, user: result.user, device: result.device, keys: pending.keys,
            answerKey: result.answerKey)
        let completed: DeviceBinding?
        do {
            completed = try await vault.completeBinding(binding)
        } catch {
            throw .vault(error)
        }
        // The call that removed the binding also removes its keys.
        guard let completed else { throw .superseded }
        await keepPolicy(of: result, for: completed, in: vault)
        return completed
    }

    /// Binds the device with the user's name and password instead of a code.
    ///
    /// The relying party issues a code for the credentials, and ``bind(_:code:deviceName:)`` does the rest. If this
    /// call is repeated after a lost answer, it gets another code and begins a new binding with new keys. If the first
    /// binding had reached the relying party, the relying party lists a device that no one can use; the user may revoke
    /// it.
    ///
    /// - Throws: ``BindingError``, with `ProblemCode.credentialsRefused` if the credentials are wrong, or after too
    ///   many recent attempts.
    public func bind(
        _ vault: OpenVault,
        credentials: Credentials,
        deviceName: DeviceName
    ) async throws(BindingError) -> DeviceBinding {
        let grant: EnrolmentCodeGrant
        do {
            grant = try await relyingParty.enrolmentCode(credentials)
        } catch {
            throw .relyingParty(error)
        }
        return try await bind(vault, code: grant.code, deviceName: deviceName)
    }

    /// Forgets `binding`: removes its keys and its secrets.
    ///
    /// Use this for a device that the relying party has revoked, or that has lost its keys. No request is sent to the
    /// relying party. If the vault has another binding, this does nothing. After an error the call can be repeated;
    /// otherwise the next call of ``bind(_:code:deviceName:)`` or ``Login/logIn(_:)`` finishes the removal.
    public func forget(_ binding: DeviceBinding, in vault: OpenVault) async throws(ForgetBindingError) {
        try await vault.forgetBinding(binding.keys, isRevoked: false, keys: keys)
    }
}
