/// How failed attempts are answered: waits that grow, and an end.
public struct LockoutPolicy: Hashable, Sendable {
    /// The failure in a row from which on there is a wait.
    public let firstWaitAfter: Int
    /// The wait after that failure, after the next, and so on; the last one is for all that follow.
    public let waits: [Duration]
    /// The failure in a row that ends the PIN: its slot is removed from the vault. A new PIN then needs the person's full
    /// credentials; a vault without another way in is lost.
    public let limit: Int

    /// For logging in to a service: waits of 30 seconds, 5 minutes, then 30 minutes each from the third failure on; the
    /// tenth ends the PIN.
    public static let login = LockoutPolicy(
        unchecked: 3, waits: [.seconds(30), .seconds(5 * 60), .seconds(30 * 60)], limit: 10)

    static let greatestLimit = 100
    static let longestWait = Duration.seconds(24 * 60 * 60)

    /// A policy of one's own.
    ///
    /// - Throws: ``LockoutPolicyError`` for values that make no sense together.
    public init(firstWaitAfter: Int, waits: [Duration], limit: Int) throws(LockoutPolicyError) {
        let limits = 1...Self.greatestLimit
        guard limits.contains(limit) else { throw .limit(allowed: limits) }
        guard (1...limit).contains(firstWaitAfter) else { throw .firstWait(allowed: 1...limit) }
        guard !waits.isEmpty, waits.allSatisfy({ $0 > .zero && $0 <= Self.longestWait }) else { throw .waits }
        self.init(unchecked: firstWaitAfter, waits: waits, limit: limit)
    }

    private init(unchecked firstWaitAfter: Int, waits: [Duration], limit: Int) {
        self.firstWaitAfter = firstWaitAfter
        self.waits = waits
        self.limit = limit
    }

    /// How long to wait after so many failures in a row.
    func wait(afterFailures failures: Int) -> Duration {
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
    /// No waits, or one that is not above zero and at most a day.
    case waits
}
