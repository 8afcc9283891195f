public import NightlatchWire

/// The profile of a user, as stored.
public struct StoredProfile: Hashable, Sendable {
    public let profile: UserProfile
    /// The number of times that the profile was set since it was last removed.
    public let revision: Int
    /// The time of the last change, `updated_at` in claims.
    public let updatedAt: NumericDate

    public init(profile: UserProfile, revision: Int, updatedAt: NumericDate) {
        self.profile = profile
        self.revision = revision
        self.updatedAt = updatedAt
    }
}

extension NewJourneyUser {
    /// The profile of a user who is created at `now`; nil for none.
    package func storedProfile(at now: NumericDate) -> StoredProfile? {
        profile.map { StoredProfile(profile: $0, revision: 1, updatedAt: now) }
    }
}

extension StoredProfile {
    /// The profile as a store contains it: strict JSON.
    package var document: String { String(decoding: StrictJSON.bytes(of: profile), as: UTF8.self) }
}
