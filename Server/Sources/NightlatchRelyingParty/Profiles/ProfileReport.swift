package import NightlatchWire

/// A user's profile as operators and backends see it: the JSON of ``UserProfile``, with `user`, `revision` and
/// `updated_at`.
package struct ProfileReport: Encodable, Sendable {
    private let user: UserID
    private let stored: StoredProfile

    package init(_ stored: StoredProfile, of user: UserID) {
        self.user = user
        self.stored = stored
    }

    package func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try stored.profile.add(UserProfile.Member.allCases, to: &members)
        try members.add("revision", stored.revision)
        try members.add("updated_at", stored.updatedAt)
        try members.add("user", user)
    }
}
