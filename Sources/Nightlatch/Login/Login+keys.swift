extension Login {
    /// Returns the vault's binding with this relying party, and its keys.
    ///
    /// If the binding is being removed, this first finishes the removal, and then throws.
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
            // A signature or a refresh token for one relying party is never sent to another.
            guard binding.issuer == relyingParty.issuer else { throw .boundElsewhere(binding) }
            // The binding and the password are written together.
            guard let password = stored.password else { throw .vault(.corrupt) }
            do {
                return (binding, try await .find(binding.keys, password: password, in: keys))
            } catch {
                // Another call may have removed the binding and its keys since the vault was read.
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

    /// Returns the keys of a pending binding, or nil if the vault no longer has this binding.
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
                // The caller gives up a binding whose keys are absent. A store may answer wrongly once, so a second
                // lookup confirms it.
                return try await .find(pending.keys, password: password, in: keys)
            }
        } catch {
            throw .key(error)
        }
    }
}
