public import NightlatchWire

/// Binds this device to a user with a relying party, and lets it go again.
///
/// The device key is made for one vault: its application password is a secret of the vault, so the key signs only after the PIN
/// has opened it. A key is never moved out of hardware for that.
public struct DeviceBinder: Sendable {
    let relyingParty: any RelyingParty
    let keys: any DeviceKeys
    let clientID: ClientID

    public init(relyingParty: any RelyingParty, keys: any DeviceKeys, clientID: ClientID = .default) {
        self.relyingParty = relyingParty
        self.keys = keys
        self.clientID = clientID
    }

    /// Binds the device, with the one-time code that says to whom.
    ///
    /// What is about to be done is written into the vault before it is done, so the call can be repeated after a crash or a lost
    /// answer: with the same code it finds its keys again and gets the relying party's answer again. Several calls at once with
    /// the same code, in several processes too, make one binding. A call with another code, or at another relying party, lets a
    /// binding that is under way go and begins its own.
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
        // Whoever has let the binding go removes its keys.
        guard let completed else { throw .superseded }
        return completed
    }

    /// Binds the device, with the user's name and password in the place of a code.
    ///
    /// The relying party gives a code for them, and ``bind(_:code:deviceName:)`` does the rest. Called again after a lost answer, it gets
    /// another code and begins anew, with new keys: if the first binding had reached the relying party, its list of devices has one that
    /// nobody can use, which the user may revoke.
    ///
    /// - Throws: ``BindingError``, with `ProblemCode.credentialsRefused` for wrong ones, or after too many of late.
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

    /// Forgets `binding`: removes its keys and its secrets. For a device that the relying party has revoked, or whose keys are
    /// lost; the relying party is not asked. Does nothing if the vault's binding is another one by now. Can be repeated after a
    /// failure, and is finished by the next call of ``bind(_:code:deviceName:)`` or ``Login/logIn(_:)`` otherwise.
    public func forget(_ binding: DeviceBinding, in vault: OpenVault) async throws(ForgetBindingError) {
        try await vault.forgetBinding(binding.keys, isRevoked: false, keys: keys)
    }
}
