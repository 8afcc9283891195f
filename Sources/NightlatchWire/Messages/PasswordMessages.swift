/// A user's full credentials. The app's backend sets them or has them verified; a device shows them once, to be bound.
public struct Credentials: Codable, Hashable, Sendable {
    public let user: UserID
    public let password: Password

    public init(user: UserID, password: Password) {
        self.user = user
        self.password = password
    }
}

/// The credentials were set, or are right.
public struct CredentialsResult: Codable, Hashable, Sendable {
    public let user: UserID

    public init(user: UserID) {
        self.user = user
    }
}
