import NightlatchWire

/// The claims about a user that an app gets for its scopes
/// ([OpenID Connect Core, section 5.4](https://openid.net/specs/openid-connect-core-1_0.html#ScopeClaims)).
///
/// The answer of the userinfo endpoint has them, and so has the ID token.
package struct UserInformation: Encodable, Hashable, Sendable {
    let subject: UserID
    private let scopes: [AppScope]
    /// The user's profile; nil if there is none, or no scope shows it.
    private let stored: StoredProfile?

    /// The members of a profile that a scope shows.
    private static let members: [AppScope: [UserProfile.Member]] = [
        .profile: [.familyName, .givenName, .name], .email: [.email, .isEmailVerified], .phone: [.phoneNumber],
    ]

    /// The claims that some scope shows, with `sub`, which has no scope.
    static let claims = members.values.flatMap { $0.map(\.rawValue) } + ["preferred_username", "sub", "updated_at"]

    /// Reads the claims of `user` for an app with `scopes`. The store is read only if a scope shows the profile.
    init(
        of user: UserID, for scopes: [AppScope], in store: some ProfileStore
    ) async throws(RelyingPartyStoreError) {
        subject = user
        self.scopes = scopes
        stored = scopes.contains { Self.members[$0] != nil } ? try await store.profile(of: user) : nil
    }

    package func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("sub", subject)
        try add(to: &members)
    }

    /// Adds the claims without `sub`.
    func add(to members: inout JSONObjectWriter) throws {
        if let stored {
            try stored.profile.add(scopes.flatMap { Self.members[$0] ?? [] }, to: &members)
        }
        guard scopes.contains(.profile) else { return }
        try members.add("preferred_username", subject)
        if let stored { try members.add("updated_at", stored.updatedAt) }
    }
}
