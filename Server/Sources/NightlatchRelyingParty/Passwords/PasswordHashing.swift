/// What passwords are hashed with: Argon2id ([RFC 9106](https://www.rfc-editor.org/rfc/rfc9106)).
public struct PasswordHashing: Hashable, Sendable {
    /// 19 MiB, two passes, one lane: what the OWASP Password Storage Cheat Sheet asks for at least.
    public static let `default` = Self(unchecked: 19 * 1024, passes: 2, lanes: 1, answerTime: .milliseconds(500))

    public let memoryKibibytes: Int
    public let passes: Int
    public let lanes: Int
    /// How long every answer takes at least, whatever it is, so that its time does not tell which it is. More than a derivation and a
    /// write take together.
    public let answerTime: Duration
    /// How many passwords may wait to be hashed, of all callers together. More are refused at once.
    let waitingLimit: Int

    /// Returns nil below what OWASP takes for equivalent to the default (7 MiB, and 35 MiB filled in all passes), and above 1 GiB or
    /// four lanes.
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
