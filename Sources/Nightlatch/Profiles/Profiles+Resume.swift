/// A profile with an interrupted registration or removal, which ``Profiles/resume()`` found.
public struct ResumedProfile: Hashable, Sendable {
    public let id: ProfileID
    public let name: ProfileName
    public let cause: Cause
    /// The error that kept the profile from being completely removed; nil if it was removed.
    public let failure: DeregistrationError?

    /// The reason why the profile was removed.
    public enum Cause: Hashable, Sendable {
        /// Its registration was interrupted. The user registers again.
        case registrationCutOff
        /// Its deregistration was interrupted.
        case deregistrationCutOff
        /// The profile was registered, and the lockout policy wiped its vault just before the app ended.
        case vaultErased
    }
}

extension Profiles {
    /// Undoes interrupted registrations and finishes interrupted deregistrations.
    ///
    /// Call this once when the app starts, before anything else. It also undoes a registration that is running at that
    /// moment in another process.
    ///
    /// A registered profile stays, with its keys, if the store does not find its vault.
    /// ``LocalAuthService/unlock(reason:)`` then returns ``UnlockOutcome/missing``.
    ///
    /// - Returns: The profiles that were found, with the result for each. An error with one profile does not stop the
    ///   others; call this again.
    public func resume() async throws(RegistryError) -> [ResumedProfile] {
        var resumed: [ResumedProfile] = []
        for entry in try await forgetUnwantedLengths().profiles {
            guard let cause = await cause(toRemove: entry) else { continue }
            var failure: DeregistrationError?
            do {
                try await deregister(entry.id)
            } catch {
                failure = error
            }
            resumed.append(ResumedProfile(id: entry.id, name: entry.name, cause: cause, failure: failure))
        }
        return resumed
    }

    /// Returns the registry. Removes the PIN lengths first if the app does not want them remembered any more.
    private func forgetUnwantedLengths() async throws(RegistryError) -> ProfileRegistryRecord {
        try await registry.update { record in
            if !remembersPinLengths { record.forgetPinLengths() }
            return record
        }
    }

    private func cause(toRemove entry: ProfileEntry) async -> ResumedProfile.Cause? {
        switch entry.stage {
        case .registering: return .registrationCutOff
        case .deregistering: return .deregistrationCutOff
        case .registered:
            do {
                return try await vault(of: profile(entry)).state() == .erased ? .vaultErased : nil
            } catch {
                // A vault that cannot be read is not erased. The call that opens it throws the reason.
                return nil
            }
        }
    }
}
