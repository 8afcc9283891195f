import NightlatchWire

/// What a call of ``DeviceBinder/bind(_:code:deviceName:)`` begins with.
enum BindingStart: ~Copyable, Sendable {
    /// The device is bound already.
    case bound(DeviceBinding)
    /// Another binding is to be let go first.
    case leaving(BindingKeyTags)
    /// The binding is under way, by this call or by earlier ones too.
    case pending(PendingBinding, password: SecretBytes)
}

/// What a vault knows of a binding, seen at one moment.
struct StoredBinding: ~Copyable, Sendable {
    let state: BindingState?
    /// The application password of the device key.
    let password: SecretBytes?
}

// Each step looks at the state and goes on from it in one write. Whoever comes too late changes nothing, and is told.
extension OpenVault {
    func storedBinding() async throws(OpenVaultError) -> StoredBinding {
        try await change { secrets throws(OpenVaultError) in
            StoredBinding(
                state: try secrets.bindingState(), password: try secrets.secret(named: .deviceKeyPassword))
        }
    }

    /// Begins a binding, or joins the one that is under way with the same code at the same relying party. Any other that is under
    /// way is let go: nobody else will take it up again.
    func beginBinding(with code: EnrolmentCode, at issuer: Issuer) async throws(OpenVaultError) -> BindingStart {
        try await change { secrets throws(OpenVaultError) in
            switch try secrets.bindingState() {
            case .bound(let binding):
                return .bound(binding)
            case .leaving(let leaving):
                return .leaving(leaving.keys)
            case .pending(let pending) where pending.isFor(code, at: issuer):
                guard let password = try secrets.secret(named: .deviceKeyPassword) else { throw .record(.corrupt) }
                let joined = pending.joined()
                secrets.set(.pending(joined))
                return .pending(joined, password: password)
            case .pending(let pending):
                secrets.leaveBinding(pending.keys, isRevoked: false)
                return .leaving(pending.keys)
            case nil:
                let pending = PendingBinding(with: code, at: issuer)
                let password = SecretBytes.random(byteCount: 32)
                secrets.set(.pending(pending))
                secrets.set(password, named: .deviceKeyPassword)
                secrets.remove(.refreshToken)
                return .pending(pending, password: password)
            }
        }
    }

    /// Writes down what the relying party has said, before anything is sent that could bind `keys`.
    ///
    /// - Returns: Whether the binding is under way still, or done by another call; false if it was let go meanwhile.
    func noteChallenge(
        _ challenge: BindingChallenge,
        of keys: BindingKeyTags
    ) async throws(OpenVaultError) -> Bool {
        try await change { secrets throws(OpenVaultError) in
            switch try secrets.bindingState() {
            case .pending(let pending) where pending.keys == keys:
                secrets.set(.pending(pending.challenged(by: challenge)))
                return true
            case .bound(let binding): return binding.keys == keys
            default: return false
            }
        }
    }

    /// Whether the state still names `keys` and they are not being removed.
    func holdsBinding(_ keys: BindingKeyTags) async throws(OpenVaultError) -> Bool {
        try await change { secrets throws(OpenVaultError) in
            switch try secrets.bindingState() {
            case .pending(let pending): pending.keys == keys
            case .bound(let binding): binding.keys == keys
            case .leaving, nil: false
            }
        }
    }

    /// Writes down that the relying party has said yes.
    ///
    /// - Returns: The binding, also if another call was faster; nil if it was let go meanwhile.
    func completeBinding(_ binding: DeviceBinding) async throws(OpenVaultError) -> DeviceBinding? {
        try await change { secrets throws(OpenVaultError) in
            switch try secrets.bindingState() {
            case .pending(let pending) where pending.keys == binding.keys:
                secrets.set(.bound(binding))
                return binding
            case .bound(let known) where known.keys == binding.keys:
                return known
            default:
                return nil
            }
        }
    }

    /// Writes down that the relying party has accepted the keys of `known` again, under the device's id of now. The refresh token of the
    /// old device is gone then.
    ///
    /// - Returns: Whether the vault's binding was `known`, or was renewed so by another call.
    func replaceBinding(_ known: DeviceBinding, with renewed: DeviceBinding) async throws(OpenVaultError) -> Bool {
        try await change { secrets throws(OpenVaultError) in
            switch try secrets.bindingState() {
            case .bound(renewed): return true
            case .bound(known):
                secrets.set(.bound(renewed))
                secrets.remove(.refreshToken)
                return true
            default: return false
            }
        }
    }

    /// Begins to let the binding with `keys` go.
    ///
    /// - Returns: Whether the keys are to be removed now; false if the vault's binding is another one or none.
    func leaveBinding(_ keys: BindingKeyTags, isRevoked: Bool) async throws(OpenVaultError) -> Bool {
        try await change { secrets throws(OpenVaultError) in
            guard let state = try secrets.bindingState(), state.keys == keys else { return false }
            if case .leaving = state { return true }
            secrets.leaveBinding(keys, isRevoked: isRevoked)
            return true
        }
    }

    /// Begins to let the binding go if it still stands as `state` says: whoever has looked at it knows all that was done with its keys.
    ///
    /// - Returns: Whether the keys are to be removed now.
    func leaveBinding(ifStill state: BindingState) async throws(OpenVaultError) -> Bool {
        try await change { secrets throws(OpenVaultError) in
            guard try secrets.bindingState() == state else { return false }
            if case .leaving = state { return true }
            secrets.leaveBinding(state.keys, isRevoked: false)
            return true
        }
    }

    /// Begins to let `pending` go if its keys were used by no other call, before or since: then they are not bound.
    ///
    /// - Returns: Whether the keys are to be removed now.
    func leaveUnlessShared(_ pending: PendingBinding) async throws(OpenVaultError) -> Bool {
        try await change { secrets throws(OpenVaultError) in
            guard pending.isFirstCall, case .pending(let current) = try secrets.bindingState(),
                current.isOfSameCall(as: pending)
            else { return false }
            secrets.leaveBinding(pending.keys, isRevoked: false)
            return true
        }
    }

    /// Forgets the last of a binding that was let go, once its keys are removed.
    func endBinding(_ keys: BindingKeyTags) async throws(OpenVaultError) {
        try await change { secrets throws(OpenVaultError) in
            guard case .leaving(let leaving) = try secrets.bindingState(), leaving.keys == keys else { return }
            secrets.remove(.deviceBinding)
        }
    }
}

extension VaultSecrets {
    /// From here on the keys are worth nothing: the device key's password is gone.
    fileprivate mutating func leaveBinding(_ keys: BindingKeyTags, isRevoked: Bool) {
        set(.leaving(LeavingBinding(keys: keys, isRevoked: isRevoked)))
        remove(.deviceKeyPassword)
        remove(.refreshToken)
    }
}
