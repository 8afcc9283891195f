/// The backend's request for a code with which `user` can bind one device. The relying party adds a user that it does
/// not know.
public struct EnrolmentCodeRequest: Codable, Hashable, Sendable {
    public let user: UserID

    public init(user: UserID) {
        self.user = user
    }
}

/// The answer with the enrolment code. The relying party sends the code only once and stores a MAC of it.
public struct EnrolmentCodeGrant: Codable, Hashable, Sendable {
    public let user: UserID
    public let code: EnrolmentCode
    /// The time when the code expires.
    public let expiresAt: NumericDate

    public init(user: UserID, code: EnrolmentCode, expiresAt: NumericDate) {
        self.user = user
        self.code = code
        self.expiresAt = expiresAt
    }

    private enum CodingKeys: String, CodingKey {
        case user, code
        case expiresAt = "expires_at"
    }
}
