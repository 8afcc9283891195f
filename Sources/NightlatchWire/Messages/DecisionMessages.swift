/// A device's request for a challenge to sign a decision.
public struct DecisionRequest: Codable, Hashable, Sendable {
    public let transaction: TransactionID

    public init(transaction: TransactionID) {
        self.transaction = transaction
    }
}

/// The challenge that the device signs in ``DecisionClaims``.
public struct DecisionChallenge: Codable, Hashable, Sendable {
    public let challenge: Challenge
    public let handle: ChallengeHandle
    /// The time of the relying party's clock. The device dates its answer by it, so a device with a wrong clock can
    /// decide.
    public let issuedAt: NumericDate
    public let expiresAt: NumericDate

    public init(challenge: Challenge, handle: ChallengeHandle, issuedAt: NumericDate, expiresAt: NumericDate) {
        self.challenge = challenge
        self.handle = handle
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    private enum CodingKeys: String, CodingKey {
        case challenge, handle
        case issuedAt = "issued_at"
        case expiresAt = "expires_at"
    }
}

/// The signed answer to a ``DecisionChallenge``.
public struct DecisionAnswer: Codable, Hashable, Sendable {
    public let handle: ChallengeHandle
    /// A compact JWS with ``DecisionClaims``. Its header names the device key.
    public let message: String

    public init(handle: ChallengeHandle, message: String) {
        self.handle = handle
        self.message = message
    }
}

/// The result of a decision: the relying party recorded it.
public struct DecisionResult: Codable, Hashable, Sendable {
    public let transaction: TransactionID
    public let state: TransactionState

    public init(transaction: TransactionID, state: TransactionState) {
        self.transaction = transaction
        self.state = state
    }
}
