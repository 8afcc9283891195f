public import NightlatchWire

/// A challenge that a finished ceremony uses up. Only an opened handle gives one, so its challenge is this relying party's.
public struct ChallengeUse: Hashable, Sendable {
    /// How long a store remembers a used challenge after it expired: longer than the clocks of two processes may differ.
    public static let retention: Duration = .seconds(5 * 60)

    public let challenge: Challenge
    public let message: MessageHash
    /// Sealed with the challenge: whoever comes with it has the same time, so a store may look for both together.
    public let expiresAt: NumericDate

    public init(challenge: Challenge, message: MessageHash, expiresAt: NumericDate) {
        self.challenge = challenge
        self.message = message
        self.expiresAt = expiresAt
    }
}
