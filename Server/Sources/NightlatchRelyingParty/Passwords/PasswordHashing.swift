/// The parameters for hashing passwords with Argon2id ([RFC 9106](https://www.rfc-editor.org/rfc/rfc9106)).
public struct PasswordHashing: Hashable, Sendable {
    /// 19 MiB, two passes, one lane: the minimum of the OWASP Password Storage Cheat Sheet.
    public static let `default` = Self(unchecked: 19 * 1024, passes: 2, lanes: 1, answerTime: .milliseconds(500))

    public let memoryKibibytes: Int
    public let passes: Int
    public let lanes: Int
    /// The minimum duration of every response, so that the duration does not reveal the content.
    ///
    /// It should exceed the duration of a derivation and a write together.
    public let answerTime: Duration
    /// The largest number of passwords that may wait to be hashed, for all callers together.
    ///
    /// Further passwords are refused at once.
    let waitingLimit: Int

    /// Creates parameters; returns nil if they are too weak or too costly.
    ///
    /// The minimum has a cost that OWASP considers equivalent to the default: 7 MiB of memory, and 35 MiB for memory
    /// times passes. The maximum is 1 GiB, 64 passes and four lanes.
    public init?(memoryKibibytes: Int, passes: Int, lanes: Int = 1, answerTime: Duration = .milliseconds(500)) {
        guard (7 * 1024...1024 * 1024).contains(memoryKibibytes), (1...64).contains(passes), (1...4).contains(lanes),
            memoryKibibytes * passes >= 35 * 1024
        else { return nil }
        self.init(unchecked: memoryKibibytes, passes: passes, lanes: lanes, answerTime: answerTime)
    }

    /// Any parameters, for tests.
    package init(unchecked memoryKibibytes: Int, passes: Int, lanes: Int, answerTime: Duration, waitingLimit: Int = 64)
    {
        self.memoryKibibytes = memoryKibibytes
        self.passes = passes
        self.lanes = lanes
        self.answerTime = answerTime
        self.waitingLimit = waitingLimit
    }
}
