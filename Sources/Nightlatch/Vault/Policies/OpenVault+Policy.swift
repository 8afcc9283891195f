import NightlatchWire

extension OpenVault {
    /// Returns the newest policy that the relying party has delivered for this vault's device, or nil if it has
    /// delivered none.
    ///
    /// The vault keeps it as the relying party signed it. It is checked again each time, so a policy of an earlier
    /// binding does not count, and an updated app finds members that it ignored before.
    public func policy() async throws(PolicyError) -> KeptPolicy? {
        let kept: Result<KeptPolicy?, PolicyError>
        do {
            kept = try await change { secrets throws(VaultError) in try secrets.keptPolicy() }
        } catch {
            throw .vault(error)
        }
        return try kept.get()
    }

    /// The revision to state to the relying party: that of the kept policy, and `first` if the relying party is to
    /// send its policy again. Nil if the device could not accept any.
    func policyRevision(of binding: DeviceBinding) async throws(VaultError) -> PolicyRevision? {
        guard binding.answerKey != nil else { return nil }
        do {
            return try await policy()?.revision ?? .first
        } catch {
            switch error {
            case .vault(let error): throw error
            case .corrupt, .refused: return .first
            }
        }
    }

    /// Keeps a policy that the relying party has delivered for `binding`, unless the vault has a newer one.
    ///
    /// - Parameters:
    ///   - text: The policy as a compact JWS.
    ///   - binding: The binding of the device that received it.
    ///   - client: The app.
    /// - Returns: The policy that the vault keeps now.
    func keepPolicy(
        _ text: String, of binding: DeviceBinding, at client: ClientID
    ) async throws(PolicyError) -> KeptPolicy {
        guard let key = binding.answerKey else { throw .refused(.noPinnedKey) }
        let claims: PolicyClaims
        do {
            claims = try PolicyClaims(text, signedBy: key)
        } catch {
            throw .refused(PolicyRefusal(error))
        }
        guard claims.audience == client, claims.isFor(binding) else { throw .refused(.ofAnother) }
        let kept: Result<KeptPolicy, PolicyError>
        do {
            kept = try await change { secrets throws(VaultError) in
                guard try secrets.bindingState() == .bound(binding) else { return .failure(.refused(.ofAnother)) }
                return try secrets.keepPolicy(text, KeptPolicy(claims))
            }
        } catch {
            throw .vault(error)
        }
        let policy = try kept.get()
        knownPolicy = .success(policy)
        return policy
    }
}

extension VaultSecrets {
    /// The kept policy, or the error of reading it.
    var policyNow: Result<KeptPolicy?, PolicyError> {
        do {
            return try keptPolicy()
        } catch {
            return .failure(.vault(error))
        }
    }

    /// The kept policy. The error is never ``PolicyError/vault(_:)``.
    fileprivate func keptPolicy() throws(VaultError) -> Result<KeptPolicy?, PolicyError> {
        guard case .bound(let binding) = try bindingState(), let secret = try secret(named: .policy) else {
            return .success(nil)
        }
        guard let key = binding.answerKey else { return .failure(.refused(.noPinnedKey)) }
        let text = unsafe secret.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
        do {
            let claims = try PolicyClaims(text, signedBy: key)
            return claims.isFor(binding) ? .success(KeptPolicy(claims)) : .failure(.refused(.ofAnother))
        } catch {
            switch error {
            case .wrongSignature: return .failure(.refused(.wrongSignature))
            // It was readable when the vault sealed it.
            case .malformed: return .failure(.corrupt)
            }
        }
    }

    fileprivate mutating func keepPolicy(
        _ text: String, _ new: KeptPolicy
    ) throws(VaultError) -> Result<KeptPolicy, PolicyError> {
        // A policy that does not count any more does not prevent a new one.
        if case .success(let known?) = try keptPolicy() {
            if new.revision < known.revision { return .failure(.refused(.older(than: known.revision))) }
            if new.revision == known.revision {
                guard new.content == known.content else {
                    return .failure(.refused(.contradictory(known.revision)))
                }
                return .success(known)
            }
        }
        set(SecretBytes(copying: Array(text.utf8)), named: .policy)
        return .success(new)
    }
}

extension PolicyClaims {
    fileprivate func isFor(_ binding: DeviceBinding) -> Bool {
        issuer == binding.issuer && subject == binding.user
    }
}

extension PolicyRefusal {
    fileprivate init(_ error: PolicyStatementError) {
        self =
            switch error {
            case .wrongSignature: .wrongSignature
            case .malformed: .malformed
            }
    }
}
