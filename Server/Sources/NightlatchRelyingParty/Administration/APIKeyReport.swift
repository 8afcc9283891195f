package import NightlatchWire

/// An API key as operators see it, with its token if it was just created.
package struct APIKeyReport: Encodable, Sendable {
    private let key: APIKey
    private let state: APIKey.State
    private let token: APIToken?

    /// - Parameters:
    ///   - key: The key.
    ///   - time: The time for the member `state`.
    ///   - token: The token of a key that was just created, in the member `token`.
    package init(_ key: APIKey, at time: NumericDate, token: APIToken? = nil) {
        self.key = key
        state = key.state(at: time)
        self.token = token
    }

    package func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("created_at", key.createdAt)
        try members.addIfPresent("created_by", key.createdBy)
        if let expiresAt = key.expiresAt { try members.add("expires_at", expiresAt) }
        try members.add("id", key.id)
        try members.add("name", key.name)
        if let revokedAt = key.revokedAt { try members.add("revoked_at", revokedAt) }
        try members.add("scopes", key.scopes.inOrder)
        try members.add("state", state)
        try members.addIfPresent("token", token)
    }
}
