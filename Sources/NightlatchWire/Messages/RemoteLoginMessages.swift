/// A remote login that waits for the user, as a device gets it.
public struct RemoteLoginNotice: Codable, Hashable, Sendable {
    public let id: RemoteLoginID
    public let details: RemoteLoginDetails

    public init(id: RemoteLoginID, details: RemoteLoginDetails) {
        self.id = id
        self.details = details
    }
}

/// The remote logins that wait for the caller's user, oldest first.
public struct RemoteLoginNoticeList: Codable, Hashable, Sendable {
    public let logins: [RemoteLoginNotice]
    /// Whether as many logins were requested for the user as the relying party allows at a time.
    ///
    /// Further requests are ignored until the oldest expires. If the user requested none, an attacker may be trying to
    /// tire the user into confirming one.
    public let isLimitReached: Bool

    public init(logins: [RemoteLoginNotice], isLimitReached: Bool) {
        self.logins = logins
        self.isLimitReached = isLimitReached
    }

    private enum CodingKeys: String, CodingKey {
        case logins
        case isLimitReached = "limit_reached"
    }
}

/// A device's message that its user scanned the QR code of a login page.
public struct RemoteLoginClaim: Codable, Hashable, Sendable {
    public let code: RemoteLoginCode

    public init(code: RemoteLoginCode) {
        self.code = code
    }
}

/// A device's request for a challenge to sign the decision on a remote login.
public struct RemoteLoginRequest: Codable, Hashable, Sendable {
    public let login: RemoteLoginID

    public init(login: RemoteLoginID) {
        self.login = login
    }
}

/// The challenge that the device signs in ``RemoteLoginClaims``.
public typealias RemoteLoginChallenge = DecisionChallenge

/// The signed answer to a ``RemoteLoginChallenge``: a compact JWS with ``RemoteLoginClaims``.
public typealias RemoteLoginAnswer = DecisionAnswer

/// The relying party recorded a decision on a remote login.
public struct RemoteLoginResult: Codable, Hashable, Sendable {
    public let login: RemoteLoginID
    /// ``RemoteLoginState/confirmed``, ``RemoteLoginState/rejected`` or ``RemoteLoginState/numberWrong``. If the same
    /// message is sent again, it may be a later state.
    public let state: RemoteLoginState

    public init(login: RemoteLoginID, state: RemoteLoginState) {
        self.login = login
        self.state = state
    }
}
