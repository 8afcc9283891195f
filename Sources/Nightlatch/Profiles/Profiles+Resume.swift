/// A profile that ``Profiles/resume()`` found half made or half gone.
public struct ResumedProfile: Hashable, Sendable {
    public let id: ProfileID
    public let name: ProfileName
    public let cause: Cause
    /// Why something of the profile is there still; nil if it is gone altogether.
    public let failure: DeregistrationError?

    /// Why the profile was removed.
    public enum Cause: Hashable, Sendable {
        /// Its registration was cut off. The person registers again.
        case registrationCutOff
        /// Its deregistration was cut off.
        case deregistrationCutOff
        /// It was registered, and the lockout policy wiped its vault just before the app ended.
        case vaultErased
    }
}

extension Profiles {
    /// Undoes registrations and finishes deregistrations that were cut off. Call it once when the app starts, before anything else: a
    /// registration that goes on at that moment, in another process, is undone too.
    ///
    /// A registered profile whose vault the store does not find stays, with its keys: ``LocalAuthService/unlock(reason:)`` says
    /// ``UnlockOutcome/missing``.
    ///
    /// - Returns: What was found, and what became of it. A failure with one profile keeps none of the others; call this again.
    public func resume() async throws(ProfileRegistryError) -> [ResumedProfile] {
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

    /// The registry, without lengths of PINs if the app does not want them remembered any more.
    private func forgetUnwantedLengths() async throws(ProfileRegistryError) -> ProfileRegistryRecord {
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
                // A vault that cannot be read is not erased. The call that opens it throws why.
                return nil
            }
        }
    }
}
