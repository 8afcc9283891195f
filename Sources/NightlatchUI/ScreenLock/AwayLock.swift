/// Where an app is, as its scene tells.
public enum AppPhase: Hashable, Sendable, CaseIterable {
    /// It is in front and takes input.
    case active
    /// It is seen, and something else has the input: another app beside it, the app switcher, a prompt of the system.
    case inactive
    /// It is not seen.
    case background
}

/// When a screen is locked and when it is covered, as a pure state machine: it takes events with their time and says what is to be done.
///
/// It begins locked. While it is open, leaving the app covers it at once, and being away for too long locks it: in the background as soon as
/// that time is up, whether or not an event comes (``deadline``). A clock that goes back counts as too long.
///
/// A prompt of the system makes an app ``AppPhase/inactive`` although the person has not left. So while the person is asked, only the
/// background counts as away: then the question is withdrawn, with what was typed, and asked again on return. What a prompt has made
/// inactive may stay so for ``promptAllowance`` after it, however short ``timeAway`` is.
public struct AwayLock: Hashable, Sendable {
    public enum State: Hashable, Sendable {
        /// No question is asked; the person has refused, or the app is not in front.
        case locked
        /// The person is asked.
        case asking
        case open
    }

    public enum Event: Hashable, Sendable {
        /// The app is there now.
        case phase(AppPhase)
        /// The person has opened the vault.
        case opened
        /// The person was asked, and the vault is not open.
        case refused
        /// The person wants to be asked.
        case ask
        /// The app wants the screen locked.
        case lock
        /// The vault is open no more, and this machine did not lock it: its time was up, the app locked it, or it is superseded.
        case vaultEnded
        /// The ``AwayLock/deadline`` has come.
        case time
    }

    public enum Effect: Hashable, Sendable {
        /// Ask the person.
        case ask
        /// Lock the vault.
        case lock
        /// The person is not asked any more. A vault that opens all the same is an ``Event/opened`` that comes too late.
        case withdraw
    }

    /// How long an app may take to become active again after a prompt of the system, without that counting as time away.
    public static let promptAllowance = Duration.seconds(10)

    /// How long the app may be left while it is open. Zero locks it whenever it is left.
    public let timeAway: Duration
    public private(set) var state = State.locked
    package private(set) var phase = AppPhase.inactive
    /// Since when it has been left, while it is open; nil while it is in front.
    private var leftAt: Duration?
    /// How long it may be left this time: ``timeAway``, or longer after a prompt of the system.
    private var allowance: Duration
    /// Whether the person is not asked until they want to be or come back from the background.
    private var isRefused = false

    /// - Parameter timeAway: Zero or above.
    public init(timeAway: Duration) {
        precondition(timeAway >= .zero, "a time away cannot be negative")
        self.timeAway = timeAway
        allowance = timeAway
    }

    /// Whether nothing of what is locked may be seen.
    public var isCovered: Bool { state != .open || phase != .active }

    /// When ``Event/time`` is to be told, unless another event comes first; nil while no time runs.
    public var deadline: Duration? { leftAt.map { $0 + allowance } }

    /// Takes an event.
    ///
    /// - Parameters:
    ///   - event: What has happened.
    ///   - now: The reading of a clock that runs on in sleep and that nobody can set.
    ///   - isPrompted: Whether the system asks the person something for this app just now, wherever in the app.
    /// - Returns: What is to be done, in this order.
    public mutating func handle(_ event: Event, at now: Duration, isPrompted: Bool = false) -> [Effect] {
        if isPrompted, phase == .inactive, leftAt != nil, !isAwayTooLong(at: now) { excusePrompt(at: now) }
        switch event {
        case .phase(let phase): return move(to: phase, at: now, isPrompted: isPrompted)
        case .opened: return open(at: now)
        case .refused:
            guard state == .asking else { return [] }
            state = .locked
            isRefused = true
            return []
        case .ask: return ask()
        case .lock:
            guard state != .locked else { return [] }
            isRefused = true
            return state == .asking ? withdraw() : lock()
        case .vaultEnded:
            guard state == .open else { return [] }
            // In front it does not ask by itself: the person may be gone, or busy in another window.
            if phase == .active { isRefused = true }
            return lock()
        case .time: return lockIfAwayTooLong(at: now)
        }
    }

    private mutating func move(to phase: AppPhase, at now: Duration, isPrompted: Bool) -> [Effect] {
        let before = self.phase
        self.phase = phase
        switch phase {
        case .active:
            let effects = lockIfAwayTooLong(at: now)
            leftAt = nil
            return effects + (isRefused ? [] : ask())
        case .inactive:
            guard state == .open, leftAt == nil else { return [] }
            leave(at: now)
            if isPrompted { excusePrompt(at: now) }
            return []
        case .background:
            isRefused = false
            guard state == .open else { return state == .asking ? withdraw() : [] }
            // What a prompt has excused ends here: this is leaving.
            if leftAt == nil || (before == .inactive && allowance > timeAway) { leave(at: now) }
            return lockIfAwayTooLong(at: now)
        }
    }

    /// A vault that opens although no question waits for it is locked again.
    private mutating func open(at now: Duration) -> [Effect] {
        guard state == .asking else { return [.lock] }
        state = .open
        // Asking in the background does not happen, so it is the prompt that has the input still.
        if phase != .active { excusePrompt(at: now) }
        return []
    }

    private mutating func ask() -> [Effect] {
        guard state == .locked else { return [] }
        isRefused = false
        // A question is not seen there; it is asked when the app is back.
        guard phase != .background else { return [] }
        state = .asking
        return [.ask]
    }

    private mutating func withdraw() -> [Effect] {
        state = .locked
        return [.withdraw]
    }

    private mutating func lock() -> [Effect] {
        state = .locked
        leftAt = nil
        return [.lock]
    }

    private mutating func leave(at now: Duration) {
        leftAt = now
        allowance = timeAway
    }

    private mutating func excusePrompt(at now: Duration) {
        leftAt = now
        allowance = max(timeAway, Self.promptAllowance)
    }

    private mutating func lockIfAwayTooLong(at now: Duration) -> [Effect] {
        guard state == .open, isAwayTooLong(at: now) else { return [] }
        // A device whose prompts take longer than that asks no second time by itself, or it would ask without end.
        if allowance > timeAway { isRefused = true }
        return lock()
    }

    private func isAwayTooLong(at now: Duration) -> Bool {
        guard let leftAt else { return false }
        return now < leftAt || now - leftAt >= allowance
    }
}
