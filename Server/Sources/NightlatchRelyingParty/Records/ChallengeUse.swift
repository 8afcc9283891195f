public import NightlatchWire

/// A challenge that a finished ceremony consumes. It always comes from an opened handle, so this relying party made it.
public struct ChallengeUse: Hashable, Sendable {
    /// The time for which a store remembers a used challenge after its expiry. It is longer than the largest difference
    /// between the clocks of two processes.
    public static let retention: Duration = .seconds(5 * 60)

    public let challenge: Challenge
    public let message: MessageHash
    /// The expiry, which is sealed together with the challenge.
    ///
    /// Every use of the challenge has the same expiry, so a store may look up both together.
    public let expiresAt: NumericDate

    public init(challenge: Challenge, message: MessageHash, expiresAt: NumericDate) {
        self.challenge = challenge
        self.message = message
        self.expiresAt = expiresAt
    }
}
