/// Why a profile was not changed.
public enum ProfileError: Error, Hashable, Sendable {
    /// There is no such profile, or it is being deregistered. Register it anew.
    case notRegistered
    /// The registry could not be read or written.
    case registry(ProfileRegistryError)
}

extension Profiles {
    /// Calls the person something else on this device's screen.
    public func rename(_ id: ProfileID, to name: ProfileName) async throws(ProfileError) {
        try await change(id) { $0.name = name }
    }

    /// Takes over the policy for new PINs, as the server gives it for this person now. The PIN that the profile has stays good, and is
    /// asked for at its own length; change it with ``LocalAuthService/changePin(in:)`` if the policy has outgrown it.
    public func setPinPolicy(_ policy: PinPolicy, for id: ProfileID) async throws(ProfileError) {
        try await change(id) { $0.pinLengths = ProfileEntry.PinLengths(policy) }
    }

    /// Writes down what the person wants to be asked for first. It need not be set up: where it cannot be used, the PIN is asked for.
    public func setPreferredAuthenticator(
        _ authenticator: Authenticator,
        for id: ProfileID
    ) async throws(ProfileError) {
        try await change(id) { $0.preferredAuthenticator = authenticator }
    }

    private func change(_ id: ProfileID, _ change: (inout ProfileEntry) -> Void) async throws(ProfileError) {
        let isRegistered: Bool
        do {
            isRegistered = try await registry.updateRegistered(id, change)
        } catch {
            throw .registry(error)
        }
        guard isRegistered else { throw .notRegistered }
    }
}
