import NightlatchWire

/// The state from which ``DeviceBinder/bind(_:code:deviceName:)`` starts.
enum BindingStart: ~Copyable, Sendable {
    /// The device is already bound.
    case bound(DeviceBinding)
    /// Another binding must be removed first.
    case leaving(BindingKeyTags)
    /// The binding is pending. This call or earlier calls began it.
    case pending(PendingBinding, password: SecretBytes)
}

/// The binding state of a vault at one moment.
struct StoredBinding: ~Copyable, Sendable {
    let state: BindingState?
    /// The application password of the device key.
    let password: SecretBytes?
}

// Each step checks the state and changes it in one write. A call that finds an unexpected state changes nothing, and
// its result shows this.
extension OpenVault {
    func storedBinding() async throws(VaultError) -> StoredBinding {
        try await change { secrets throws(VaultError) in
            StoredBinding(
                state: try secrets.bindingState(), password: try secrets.secret(named: .deviceKeyPassword))
        }
    }

    /// Begins a binding, or joins the pending one with the same code at the same relying party.
    ///
    /// Any other pending binding is removed: no other call will continue it.
    func beginBinding(with code: EnrolmentCode, at issuer: Issuer) async throws(VaultError) -> BindingStart {
        try await change { secrets throws(VaultError) in
            switch try secrets.bindingState() {
            case .bound(let binding):
                return .bound(binding)
            case .leaving(let leaving):
                return .leaving(leaving.keys)
            case .pending(let pending) where pending.isFor(code, at: issuer):
                guard let password = try secrets.secret(named: .deviceKeyPassword) else { throw .corrupt }
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

    /// Stores the relying party's challenge, before anything is sent that could bind `keys`.
    ///
    /// - Returns: Whether the binding is still pending, or another call has completed it; false if it was removed.
    func noteChallenge(
        _ challenge: BindingChallenge,
        of keys: BindingKeyTags
    ) async throws(VaultError) -> Bool {
        try await change { secrets throws(VaultError) in
            switch try secrets.bindingState() {
            case .pending(let pending) where pending.keys == keys:
                secrets.set(.pending(pending.challenged(by: challenge)))
                return true
            case .bound(let binding): return binding.keys == keys
            default: return false
            }
        }
    }

    /// Whether the state still names `keys`, and they are not being removed.
    func holdsBinding(_ keys: BindingKeyTags) async throws(VaultError) -> Bool {
        try await change { secrets throws(VaultError) in
            switch try secrets.bindingState() {
            case .pending(let pending): pending.keys == keys
            case .bound(let binding): binding.keys == keys
            case .leaving, nil: false
            }
        }
    }

    /// Stores that the relying party has accepted the binding.
    ///
    /// - Returns: The binding, also if another call stored it first; nil if the binding was removed.
    func completeBinding(_ binding: DeviceBinding) async throws(VaultError) -> DeviceBinding? {
        try await change { secrets throws(VaultError) in
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

    /// Stores that the relying party has accepted the keys of `known` again, under the device's current id. Removes the
    /// old device's refresh token.
    ///
    /// - Returns: Whether the vault's binding was `known`, or another call has already stored `renewed`.
    func replaceBinding(_ known: DeviceBinding, with renewed: DeviceBinding) async throws(VaultError) -> Bool {
        try await change { secrets throws(VaultError) in
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

    /// Begins to remove the binding with `keys`.
    ///
    /// - Returns: Whether the keys must be removed now; false if the vault has another binding or none.
    func leaveBinding(_ keys: BindingKeyTags, isRevoked: Bool) async throws(VaultError) -> Bool {
        try await change { secrets throws(VaultError) in
            guard let state = try secrets.bindingState(), state.keys == keys else { return false }
            if case .leaving = state { return true }
            secrets.leaveBinding(keys, isRevoked: isRevoked)
            return true
        }
    }

    /// Begins to remove the binding, unless it has changed since the caller read `state`.
    ///
    /// - Returns: Whether the keys must be removed now.
    func leaveBinding(ifStill state: BindingState) async throws(VaultError) -> Bool {
        try await change { secrets throws(VaultError) in
            guard try secrets.bindingState() == state else { return false }
            if case .leaving = state { return true }
            secrets.leaveBinding(state.keys, isRevoked: false)
            return true
        }
    }

    /// Begins to remove `pending`, which the relying party has refused, if no other call has used its keys. Then the
    /// keys are not bound.
    ///
    /// - Returns: Whether the keys must be removed now.
    func leaveUnlessShared(_ pending: PendingBinding) async throws(VaultError) -> Bool {
        try await change { secrets throws(VaultError) in
            guard pending.isFirstCall, case .pending(let current) = try secrets.bindingState(),
                current.isOfSameCall(as: pending)
            else { return false }
            secrets.leaveBinding(pending.keys, isRevoked: false)
            return true
        }
    }

    /// Removes the last state of a binding, after its keys were removed.
    func endBinding(_ keys: BindingKeyTags) async throws(VaultError) {
        try await change { secrets throws(VaultError) in
            guard case .leaving(let leaving) = try secrets.bindingState(), leaving.keys == keys else { return }
            secrets.remove(.deviceBinding)
        }
    }
}

extension VaultSecrets {
    /// Marks the binding as being removed. From then on the device key is useless, because its password is gone.
    fileprivate mutating func leaveBinding(_ keys: BindingKeyTags, isRevoked: Bool) {
        set(.leaving(LeavingBinding(keys: keys, isRevoked: isRevoked)))
        remove(.deviceKeyPassword)
        remove(.refreshToken)
        remove(.policy)
    }
}
