public import NightlatchWire

/// The policy for wrong attempts: increasing waits, and the effect of the last attempt.
///
/// The predefined policies are ``login``, ``payment``, ``wallet`` and ``enterprise``.
public struct LockoutPolicy: Hashable, Sendable {
    /// The number of consecutive wrong attempts that starts the first wait.
    public let firstWaitAfter: Int
    /// The wait after that attempt, after the next one, and so on. The last wait applies to all later attempts.
    public let waits: [Duration]
    /// The number of consecutive wrong attempts that ends the PIN.
    public let limit: Int
    /// The effect of the last wrong attempt.
    ///
    /// Only an attempt that was tested and found wrong has this effect. An interrupted attempt counts, so an
    /// interrupted last attempt blocks the PIN, but it removes and erases nothing.
    public let end: LockoutEnd

    /// For logging in to a service: waits of 30 seconds, 5 minutes, then 30 minutes each from the third wrong attempt
    /// on.
    ///
    /// The tenth wrong attempt removes the PIN (NIST SP 800-63B-4, section 3.2.10, allows ten). The full credentials
    /// unblock the vault.
    public static let login = LockoutPolicy(
        unchecked: 3, waits: [.seconds(30), .seconds(5 * 60), .seconds(30 * 60)], limit: 10, end: .newCredentials)

    /// For payments: waits of 30 seconds and 5 minutes from the third wrong attempt on.
    ///
    /// The fifth wrong attempt removes the PIN, as PSD2 requires (Delegated Regulation (EU) 2018/389, article 4(3)(b)).
    /// The full credentials unblock the vault.
    public static let payment = LockoutPolicy(
        unchecked: 3, waits: [.seconds(30), .seconds(5 * 60)], limit: 5, end: .newCredentials)

    /// For wallets: waits of 30 seconds after the third and fourth wrong attempt, then 5 minutes twice, 30 minutes, and
    /// an hour after each further one.
    ///
    /// After the tenth wrong attempt, only the recovery phrase opens the wallet.
    public static let wallet = LockoutPolicy(
        unchecked: 3,
        waits: [
            .seconds(30), .seconds(30), .seconds(5 * 60), .seconds(5 * 60), .seconds(30 * 60), .seconds(60 * 60),
        ], limit: 10, end: .recoveryPhrase)

    /// For devices that an organisation manages: waits as for ``login``. The tenth wrong attempt erases the vault.
    public static let enterprise = LockoutPolicy(
        unchecked: 3, waits: [.seconds(30), .seconds(5 * 60), .seconds(30 * 60)], limit: 10, end: .wipe)

    /// Creates the policy that the relying party names.
    public init(_ name: LockoutPolicyName) {
        self =
            switch name {
            case .login: .login
            case .payment: .payment
            case .wallet: .wallet
            case .enterprise: .enterprise
            }
    }

    static let greatestLimit = 100
    static let longestWait = Duration.seconds(24 * 60 * 60)

    /// Creates a custom policy.
    ///
    /// - Throws: ``LockoutPolicyError`` for values that do not make a valid policy.
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

    /// Returns the wait after this number of consecutive wrong attempts.
    package func wait(afterFailures failures: Int) -> Duration {
        guard failures >= firstWaitAfter else { return .zero }
        return waits[min(failures - firstWaitAfter, waits.count - 1)]
    }
}

/// An error that occurs while creating a lockout policy.
public enum LockoutPolicyError: Error, Hashable, Sendable {
    /// The limit is outside the allowed range.
    case limit(allowed: ClosedRange<Int>)
    /// The first wait is after a number of attempts that cannot occur.
    case firstWait(allowed: ClosedRange<Int>)
    /// There are no waits, or one is shorter than a millisecond or longer than a day.
    case waits
    /// A wait is shorter than the previous one.
    case shrinkingWaits
}
