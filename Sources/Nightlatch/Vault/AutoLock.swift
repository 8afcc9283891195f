/// After what time an open vault locks by itself.
public struct AutoLock: Hashable, Sendable {
    /// How long the vault may be open without being used.
    public let unused: Duration
    /// How long it may be open while the app is in the background; zero locks it at once.
    public let inBackground: Duration

    /// Five minutes unused, which is what PSD2 allows for payments (Delegated Regulation (EU) 2018/389, article 4(3)(d)), and
    /// one in the background.
    public static let standard = AutoLock(unused: .seconds(5 * 60), inBackground: .seconds(60))

    /// - Parameters:
    ///   - unused: Above zero, or the vault would never be open.
    ///   - inBackground: Zero or above.
    public init(unused: Duration, inBackground: Duration) {
        precondition(unused > .zero && inBackground >= .zero, "times after which a vault locks cannot be negative")
        self.unused = unused
        self.inBackground = inBackground
    }
}

/// When an open vault is to be locked: a pure machine, told what happens and when.
struct AutoLockTimer: Sendable {
    let autoLock: AutoLock
    private var lastUse: Duration
    private var backgroundSince: Duration?

    init(_ autoLock: AutoLock, now: Duration) {
        self.autoLock = autoLock
        lastUse = now
    }

    /// The reading of the continuous clock from which on the vault is locked.
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
