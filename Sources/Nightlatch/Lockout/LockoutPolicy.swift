/// How failed attempts are answered: waits that grow, and an end. The ready-made ones are
/// ``login``, ``payment``, ``wallet`` and ``enterprise``.
public struct LockoutPolicy: Hashable, Sendable {
    /// The failure in a row from which on there is a wait.
    public let firstWaitAfter: Int
    /// The wait after that failure, after the next, and so on; the last one is for all that follow.
    public let waits: [Duration]
    /// The failure in a row that is the last.
    public let limit: Int
    /// What the last failure does.
    ///
    /// Only a verdict has this effect. An attempt that was interrupted counts, so an interrupted last attempt blocks the PIN,
    /// but it removes and erases nothing.
    public let end: LockoutEnd

    /// For logging in to a service: waits of 30 seconds, 5 minutes, then 30 minutes each from the third failure on. The tenth
    /// failure removes the PIN (NIST SP 800-63B-4, section 3.2.10, allows ten); the way back are the full credentials.
    public static let login = LockoutPolicy(
        unchecked: 3, waits: [.seconds(30), .seconds(5 * 60), .seconds(30 * 60)], limit: 10, end: .newCredentials)

    /// For payments: waits of 30 seconds and 5 minutes from the third failure on. The fifth removes the PIN, as PSD2 demands
    /// (Delegated Regulation (EU) 2018/389, article 4(3)(b)); the way back are the full credentials.
    public static let payment = LockoutPolicy(
        unchecked: 3, waits: [.seconds(30), .seconds(5 * 60)], limit: 5, end: .newCredentials)

    /// For wallets: waits of 30 seconds after the third and fourth failure, then 5 minutes, 30 minutes, and an hour each. After
    /// the tenth only the recovery phrase opens the wallet.
    public static let wallet = LockoutPolicy(
        unchecked: 3,
        waits: [
            .seconds(30), .seconds(30), .seconds(5 * 60), .seconds(5 * 60), .seconds(30 * 60), .seconds(60 * 60),
        ], limit: 10, end: .recoveryPhrase)

    /// For devices that an organisation manages: waits as for ``login``. The tenth failure erases the vault.
    public static let enterprise = LockoutPolicy(
        unchecked: 3, waits: [.seconds(30), .seconds(5 * 60), .seconds(30 * 60)], limit: 10, end: .wipe)

    static let greatestLimit = 100
    static let longestWait = Duration.seconds(24 * 60 * 60)

    /// A policy of one's own.
    ///
    /// - Throws: ``LockoutPolicyError`` for values that make no sense together.
    public init(
        firstWaitAfter: Int,
        waits: [Duration],
        limit: Int,
        end: LockoutEnd = .newCredentials
    ) throws(LockoutPolicyError) {
        let limits = 1...Self.greatestLimit
        guard limits.contains(limit) else { throw .limit(allowed: limits) }
        guard (1...limit).contains(firstWaitAfter) else { throw .firstWait(allowed: 1...limit) }
        guard !waits.isEmpty, waits.allSatisfy({ $0 >= .milliseconds(1) && $0 <= Self.longestWait }) else {
            throw .waits
        }
        guard zip(waits, waits.dropFirst()).allSatisfy({ $0 <= $1 }) else { throw .shrinkingWaits }
        self.init(unchecked: firstWaitAfter, waits: waits, limit: limit, end: end)
    }

    private init(unchecked firstWaitAfter: Int, waits: [Duration], limit: Int, end: LockoutEnd) {
        self.firstWaitAfter = firstWaitAfter
        self.waits = waits
        self.limit = limit
        self.end = end
    }

    /// How long to wait after so many failures in a row.
    package func wait(afterFailures failures: Int) -> Duration {
        guard failures >= firstWaitAfter else { return .zero }
        return waits[min(failures - firstWaitAfter, waits.count - 1)]
    }
}

/// Why values make no lockout policy.
public enum LockoutPolicyError: Error, Hashable, Sendable {
    /// The limit is outside what is allowed.
    case limit(allowed: ClosedRange<Int>)
    /// The first wait comes at no failure that can happen.
    case firstWait(allowed: ClosedRange<Int>)
    /// No waits, or one that is not at least a millisecond and at most a day.
    case waits
    /// A wait is shorter than the one before it.
    case shrinkingWaits
}
