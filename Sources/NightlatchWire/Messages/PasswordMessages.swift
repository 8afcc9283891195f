/// A user's full credentials.
///
/// The app's backend sets or verifies them. A device sends them once, to get an enrolment code.
public struct Credentials: Codable, Hashable, Sendable {
    public let user: UserID
    public let password: Password

    public init(user: UserID, password: Password) {
        self.user = user
        self.password = password
    }
}

/// The result of setting or verifying credentials: they were set, or they are right.
public struct CredentialsResult: Codable, Hashable, Sendable {
    public let user: UserID

    public init(user: UserID) {
        self.user = user
    }
}
