/// The times after which an open vault locks by itself.
public struct AutoLock: Hashable, Sendable {
    /// The time that the vault may stay open without being used.
    public let unused: Duration
    /// The time that the vault may stay open while the app is in the background; zero locks it at once.
    public let inBackground: Duration

    /// Five minutes without use and one minute in the background.
    ///
    /// Five minutes is the limit of PSD2 for payments (Delegated Regulation (EU) 2018/389, article 4(3)(d)).
    public static let standard = AutoLock(unused: .seconds(5 * 60), inBackground: .seconds(60))

    /// - Parameters:
    ///   - unused: The time without use. It must be above zero, since a vault with zero would lock at once.
    ///   - inBackground: The time in the background; it must be zero or above.
    public init(unused: Duration, inBackground: Duration) {
        precondition(unused > .zero && inBackground >= .zero, "unused must be above zero, inBackground zero or above")
        self.unused = unused
        self.inBackground = inBackground
    }
}

/// Computes when an open vault must lock.
///
/// It reads no clock: the caller reports each event and its time.
struct AutoLockTimer: Sendable {
    let autoLock: AutoLock
    private var lastUse: Duration
    private var backgroundSince: Duration?

    init(_ autoLock: AutoLock, now: Duration) {
        self.autoLock = autoLock
        lastUse = now
    }

    /// The reading of the continuous clock at which the vault locks.
    var deadline: Duration {
        let unused = lastUse + autoLock.unused
        guard let backgroundSince else { return unused }
        return min(unused, backgroundSince + autoLock.inBackground)
    }

    func isDue(at now: Duration) -> Bool { now >= deadline }

    mutating func use(at now: Duration) { lastUse = now }

    mutating func enterBackground(at now: Duration) { backgroundSince = backgroundSince ?? now }

    mutating func enterForeground() { backgroundSince = nil }
}
