extension Login {
    /// The binding of this relying party, and its keys. One that is being let go is let go first.
    func boundKeys(in vault: OpenVault) async throws(LoginError) -> (DeviceBinding, BindingKeys) {
        let stored: StoredBinding
        do {
            stored = try await vault.storedBinding()
        } catch {
            throw .vault(error)
        }
        switch stored.state {
        case nil, .pending:
            throw .notBound
        case .leaving(let leaving):
            do {
                try await vault.finishLeaving(leaving.keys, keys: keys)
            } catch {
                throw LoginError(error)
            }
            throw leaving.isRevoked ? .revoked : .notBound
        case .bound(let binding):
            // What is signed for one relying party, and its refresh token, are shown to no other.
            guard binding.issuer == relyingParty.issuer else { throw .boundElsewhere(binding) }
            // Both are written together.
            guard let password = stored.password else { throw .vault(.record(.corrupt)) }
            do {
                return (binding, try await .find(binding.keys, password: password, in: keys))
            } catch {
                // They may be gone because the binding was let go meanwhile.
                guard error.code == .absent, try await !isHeld(binding, in: vault) else { throw .key(error) }
                return try await boundKeys(in: vault)
            }
        }
    }

    private func isHeld(_ binding: DeviceBinding, in vault: OpenVault) async throws(LoginError) -> Bool {
        do {
            return try await vault.holdsBinding(binding.keys)
        } catch {
            throw .vault(error)
        }
    }

    /// The keys of a binding that is under way; nil if it is no more.
    func pair(of pending: PendingBinding, in vault: OpenVault) async throws(LoginError) -> BindingKeys? {
        let stored: StoredBinding
        do {
            stored = try await vault.storedBinding()
        } catch {
            throw .vault(error)
        }
        guard stored.state?.keys == pending.keys, let password = stored.password else { return nil }
        do {
            do {
                return try await .find(pending.keys, password: password, in: keys)
            } catch  where error.code == .absent {
                // Keys that are absent are given up. One wrong answer of a store is not enough for that.
                return try await .find(pending.keys, password: password, in: keys)
            }
        } catch {
            throw .key(error)
        }
    }
}
