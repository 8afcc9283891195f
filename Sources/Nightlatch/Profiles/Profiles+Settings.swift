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

    private func change(_ id: ProfileID, _ change: (inout ProfileEntry) -> Void) async throws(RegistryError) {
        guard try await registry.updateRegistered(id, change) else { throw .notRegistered }
    }
}
