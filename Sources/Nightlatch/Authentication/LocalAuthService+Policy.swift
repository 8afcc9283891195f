import NightlatchWire

extension LocalAuthService {
    /// Applies the relying party's policy, which an open vault keeps, to the profile.
    ///
    /// The vault authenticates the policy. The registry gets the demands that apply while the vault is locked. If that
    /// fails, the next unlock tries again.
    ///
    /// If the vault keeps no policy that counts, for example after it was bound elsewhere, the registry's demands are
    /// removed. A policy that cannot be read leaves them as they are. The profile of a vault without a registry has the
    /// demands that the app gave it.
    ///
    /// - Parameters:
    ///   - kept: The policy that the vault kept when it was opened, or later.
    ///   - open: The vault.
    ///   - profile: The profile as it was before.
    ///   - events: Gets an event for each error.
    /// - Returns: The profile under the policy, also if the registry could not be written.
    func apply(
        _ kept: Result<KeptPolicy?, PolicyError>, of open: OpenVault, to profile: Profile,
        _ events: inout [LocalAuthEvent]
    ) async -> Profile {
        if case .failure(let error) = kept { events.append(.policyNotRead(error)) }
        let policy: KeptPolicy?
        switch kept {
        case .success(let found): policy = found
        case .failure(.refused): policy = nil
        case .failure(.vault), .failure(.corrupt): return profile
        }
        guard case .registered(let id, let profiles) = subject else {
            return policy.map { profile.following($0.policy) } ?? profile
        }
        var changed = profile.following(policy?.policy ?? Policy())
        do throws(RegistryError) {
            if let policy {
                // Also if the demands are the same: the profile then gets the policy's revision.
                let follows = try await profiles.follow(policy, of: id)
                // Another opening has applied a newer policy, or the registry is wrong. The vault knows.
                if !follows, case .success(let current?) = await currentPolicy(of: open) {
                    changed = profile.following(current.policy)
                    try await profiles.replacePolicy(with: current, of: id)
                }
            } else if changed.policy != profile.policy {
                try await profiles.removePolicy(of: id)
            }
        } catch {
            events.append(.policyNotApplied(error))
        }
        return changed
    }

    /// Applies the policy that an open vault keeps now.
    func applyPolicy(
        of open: OpenVault, to profile: Profile, _ events: inout [LocalAuthEvent]
    ) async -> Profile {
        await apply(currentPolicy(of: open), of: open, to: profile, &events)
    }

    private func currentPolicy(of open: OpenVault) async -> Result<KeptPolicy?, PolicyError> {
        do throws(PolicyError) {
            return .success(try await open.policy())
        } catch {
            return .failure(error)
        }
    }

    /// Whether the profile's demands allow an authenticator in an open vault, which checks the policy that it keeps.
    ///
    /// The demands in the registry count only if the vault could not read its policy, because they come from it.
    func permits(_ authenticator: Authenticator, in open: OpenVault) async throws(RegistryError) -> Bool {
        switch subject {
        case .alone(let profile, _): return profile.permits(authenticator)
        case .registered:
            switch open.policyWhenOpened {
            case .success, .failure(.refused): return true
            case .failure(.vault), .failure(.corrupt): return try await registered().permits(authenticator)
            }
        }
    }
}
