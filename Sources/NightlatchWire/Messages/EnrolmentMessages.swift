/// An app's backend asks for a code that lets `user` bind one device. The user is made if there is none yet.
public struct EnrolmentCodeRequest: Codable, Hashable, Sendable {
    public let user: UserID

    public init(user: UserID) {
        self.user = user
    }
}

/// The code. It is told this once: the relying party keeps only a MAC of it.
public struct EnrolmentCodeGrant: Codable, Hashable, Sendable {
    public let user: UserID
    public let code: EnrolmentCode
    /// When the code is of no more use.
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
