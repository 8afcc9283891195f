public import NightlatchWire

/// Binds this device to a user with a relying party, and lets it go again.
///
/// The device key is made for one vault: its application password is a secret of the vault, so the key signs only after the PIN
/// has opened it. A key is never moved out of hardware for that.
public struct DeviceBinder: Sendable {
    private let relyingParty: any RelyingParty
    private let keys: any DeviceKeys
    private let clientID: ClientID

    public init(relyingParty: any RelyingParty, keys: any DeviceKeys, clientID: ClientID = .default) {
        self.relyingParty = relyingParty
        self.keys = keys
        self.clientID = clientID
    }

    /// Binds the device, with the one-time code that says to whom.
    ///
    /// What is about to be done is written into the vault before it is done, so the call can be repeated after a crash or a lost
    /// answer: with the same code it finds its keys again and gets the relying party's answer again.
    ///
    /// - Throws: ``BindingError``.
    public func bind(
        _ vault: OpenVault,
        code: EnrolmentCode,
        deviceName: DeviceName
    ) async throws(BindingError) -> DeviceBinding {
        let (tags, isNew) = try await prepareTags(in: vault)
        let pair = try await prepareKeys(tags, in: vault)
        let result: BindingResult
        do {
            result = try await runCeremony(pair, code: code, deviceName: deviceName)
        } catch {
            // Keys of this call cannot be bound if the answer was no; keys of an earlier call may be.
            if case .relyingParty(.refused) = error, isNew { try await rollBack(tags, in: vault) }
            throw error
        }
        let binding = DeviceBinding(
            issuer: relyingParty.issuer, user: result.user, device: result.device, keys: tags)
        do {
            try await vault.set(.bound(binding))
        } catch {
            throw .vault(error)
        }
        return binding
    }

    /// Forgets `binding`: removes its keys and then its secrets. For a device that the relying party has revoked; the relying
    /// party is not asked. Can be repeated after a failure.
    public func forget(_ binding: DeviceBinding, in vault: OpenVault) async throws(ForgetBindingError) {
        try await binding.keys.forget(keys: keys, vault: vault)
    }

    /// The tags of a binding that is under way, or new ones, written down before anything is made under them.
    private func prepareTags(in vault: OpenVault) async throws(BindingError) -> (BindingKeyTags, isNew: Bool) {
        let state: BindingState?
        do {
            state = try await vault.bindingState()
        } catch {
            throw .vault(error)
        }
        switch state {
        case .bound(let binding):
            throw .alreadyBound(binding)
        case .pending(let tags):
            return (tags, false)
        case nil:
            let tags = BindingKeyTags(deviceKey: .random(), possessionKey: .random())
            do {
                try await vault.set(.pending(tags))
            } catch {
                throw .vault(error)
            }
            return (tags, true)
        }
    }

    private func prepareKeys(_ tags: BindingKeyTags, in vault: OpenVault) async throws(BindingError) -> BindingKeys {
        let password: SecretBytes
        do {
            password = try await vault.deviceKeyPassword()
        } catch {
            throw .vault(error)
        }
        do {
            return try await .findOrCreate(tags, password: password, in: keys)
        } catch {
            throw .key(error)
        }
    }

    private func runCeremony(
        _ pair: BindingKeys,
        code: EnrolmentCode,
        deviceName: DeviceName
    ) async throws(BindingError) -> BindingResult {
        let begun: BindingChallenge
        do {
            begun = try await relyingParty.beginBinding(
                BindingRequest(enrolmentCode: code, deviceKey: pair.deviceKey.publicKey.thumbprint))
        } catch {
            throw .relyingParty(error)
        }
        let claims = BindingClaims(
            issuer: clientID, subject: begun.user, audience: relyingParty.issuer, issuedAt: begun.issuedAt,
            expiresAt: begun.issuedAt + MessageLife.ofAssertions, challenge: begun.challenge,
            possessionKey: pair.possessionKey.publicKey.thumbprint, deviceName: deviceName)
        let message: String
        do {
            message = try await pair.deviceKey.sign(claims, carryingKey: true)
        } catch {
            throw .key(error)
        }
        do {
            return try await relyingParty.finishBinding(BindingAnswer(handle: begun.handle, message: message))
        } catch {
            throw .relyingParty(error)
        }
    }

    private func rollBack(_ tags: BindingKeyTags, in vault: OpenVault) async throws(BindingError) {
        do {
            try await tags.forget(keys: keys, vault: vault)
        } catch {
            switch error {
            case .key(let error): throw .key(error)
            case .vault(let error): throw .vault(error)
            }
        }
    }
}
