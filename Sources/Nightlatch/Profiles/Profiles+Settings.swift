extension Profiles {
    /// Changes the user's name on this device's screen.
    public func rename(_ id: ProfileID, to name: ProfileName) async throws(RegistryError) {
        try await change(id) { $0.name = name }
    }

    /// Sets the policy for new PINs that the server now has for this user.
    ///
    /// The profile's current PIN stays valid and is asked for at its own length. If it does not meet the policy, change
    /// it with ``LocalAuthService/changePin(in:)``.
    public func setPinPolicy(_ policy: PinPolicy, for id: ProfileID) async throws(RegistryError) {
        try await change(id) { $0.pinLengths = ProfileEntry.PinLengths(policy) }
    }

    /// Stores which authenticator the user wants to be asked for first. It need not be set up: if it cannot be used,
    /// the PIN is asked for.
    public func setPreferredAuthenticator(
        _ authenticator: Authenticator,
        for id: ProfileID
    ) async throws(RegistryError) {
        try await change(id) { $0.preferredAuthenticator = authenticator }
    }

    /// Applies the relying party's policy to a profile: to the next PIN that is set, to wrong PINs, and to the
    /// authenticators that the user is asked for. The current PIN opens the vault until it is changed.
    ///
    /// ``LocalAuthService`` calls this whenever it has opened the vault. Call it yourself after a login
    /// (``Session/policy``), so that the policy applies before the next unlock too. Idempotent. A policy with a smaller
    /// revision than the one that the profile has changes nothing.
    ///
    /// - Throws: ``RegistryError``; ``RegistryError/notRegistered`` if there is no such profile. The profile is then
    ///   unchanged.
    public func apply(_ policy: KeptPolicy, to id: ProfileID) async throws(RegistryError) {
        _ = try await follow(policy, of: id)
    }

    /// Does what ``apply(_:to:)`` does.
    ///
    /// - Returns: Whether the profile has the demands of `policy` now. If not, it has those of a greater revision.
    func follow(_ policy: KeptPolicy, of id: ProfileID) async throws(RegistryError) -> Bool {
        var follows = false
        try await change(id) { follows = $0.follow(policy) }
        return follows
    }

    /// Gives a profile the demands of the policy that its vault keeps, whichever revision the profile has.
    func replacePolicy(with policy: KeptPolicy, of id: ProfileID) async throws(RegistryError) {
        try await change(id) { $0.replacePolicy(with: policy) }
    }

    /// Removes the relying party's demands from a profile. The app's own rules apply again.
    func removePolicy(of id: ProfileID) async throws(RegistryError) {
        try await change(id) { $0.forgetPolicy() }
    }

    private func change(_ id: ProfileID, _ change: (inout ProfileEntry) -> Void) async throws(RegistryError) {
        guard try await registry.updateRegistered(id, change) else { throw .notRegistered }
    }
}
