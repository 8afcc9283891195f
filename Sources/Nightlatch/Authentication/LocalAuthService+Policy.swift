import NightlatchWire

extension LocalAuthService {
    /// Applies the relying party's policy, which an open vault keeps, to the profile.
    ///
    /// The vault authenticates the policy. The registry gets the demands that apply while the vault is locked. If that
    /// fails, the next unlock tries again.
    ///
    /// - Parameters:
    ///   - kept: The policy that the vault keeps. A vault that keeps none leaves the profile as it is.
    ///   - profile: The profile as it was before.
    ///   - events: Gets an event for each error.
    /// - Returns: The profile under the policy, also if the registry could not be written.
    func apply(
        _ kept: Result<KeptPolicy?, PolicyError>, to profile: Profile, _ events: inout [LocalAuthEvent]
    ) async -> Profile {
        let policy: KeptPolicy
        switch kept {
        case .failure(let error):
            events.append(.policyNotRead(error))
            return profile
        case .success(nil): return profile
        case .success(let found?): policy = found
        }
        let changed = profile.following(policy.policy)
        guard case .registered(let id, let profiles) = subject, changed.policy != profile.policy else { return changed }
        do {
            try await profiles.apply(policy, to: id)
        } catch {
            events.append(.policyNotApplied(error))
        }
        return changed
    }
}
