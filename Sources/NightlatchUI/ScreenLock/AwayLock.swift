/// The phase of an app, as its scene reports it.
public enum AppPhase: Hashable, Sendable, CaseIterable {
    /// The app is in front and receives input.
    case active
    /// The app is visible, but something else receives the input: another app, the app switcher or a system prompt.
    case inactive
    /// The app is hidden.
    case background
}

/// The rules for locking and covering a screen, as a pure state machine: it takes events with their time and returns
/// effects.
///
/// The machine begins locked. While it is open, it covers the screen as soon as the user leaves the app, and locks it
/// after too long an absence. In the background it locks at ``deadline`` without another event. If the clock goes back,
/// the absence counts as too long.
///
/// A system prompt makes an app ``AppPhase/inactive`` although the user has not left. Therefore:
///
/// - While the user is asked, only the background counts as leaving. The machine then withdraws the question, discards
///   the typed digits, and asks again on return.
/// - After a prompt, the app may stay inactive for ``promptAllowance``, even if ``timeAway`` is shorter.
public struct AwayLock: Hashable, Sendable {
    public enum State: Hashable, Sendable {
        /// Locked, with no question pending. The user refused, or the app is not in front.
        case locked
        /// The user is being asked.
        case asking
        case open
    }

    public enum Event: Hashable, Sendable {
        /// The app's phase changed.
        case phase(AppPhase)
        /// The user unlocked the vault.
        case opened
        /// The question ended without unlocking the vault.
        case refused
        /// The user wants to be asked.
        case ask
        /// The app wants to lock the screen.
        case lock
        /// The vault ended and this machine did not lock it: its time was up, the app locked it, or it was superseded.
        case vaultEnded
        /// The ``AwayLock/deadline`` arrived.
        case time
    }

    public enum Effect: Hashable, Sendable {
        /// Ask the user.
        case ask
        /// Lock the vault.
        case lock
        /// Withdraw the question. If the vault is unlocked nevertheless, the machine locks it again at
        /// ``Event/opened``.
        case withdraw
    }

    /// The time that an app may take to become active after a system prompt before it counts as time away.
    public static let promptAllowance = Duration.seconds(10)

    /// The time that a user may be away before the screen locks. At zero it locks as soon as the user leaves.
    public let timeAway: Duration
    public private(set) var state = State.locked
    package private(set) var phase = AppPhase.inactive
    /// The time when the user left while the screen was open. Nil while the app is in front.
    private var leftAt: Duration?
    /// The time that the user may be away now: ``timeAway``, or longer after a system prompt.
    private var allowance: Duration
    /// Whether to wait with the next question until the user wants it or returns from the background.
    private var isRefused = false

    /// Creates a locked machine.
    ///
    /// - Parameter timeAway: The time that a user may be away. Zero or more.
    public init(timeAway: Duration) {
        precondition(timeAway >= .zero, "timeAway must be zero or above")
        self.timeAway = timeAway
        allowance = timeAway
    }

    /// Whether the protected view must be hidden.
    public var isCovered: Bool { state != .open || phase != .active }

    /// The time at which to send ``Event/time``, unless another event comes first. Nil if no time runs.
    public var deadline: Duration? { leftAt.map { $0 + allowance } }

    /// Handles an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - now: The time of a clock that runs during sleep and that no user can set.
    ///   - isPrompted: Whether a system prompt for this app is up now, anywhere in the app.
    /// - Returns: The effects to carry out, in this order.
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
            // While the app is in front, this does not ask the user without a request: the user may be away, or busy in
            // another window.
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
            // The allowance for a prompt ends here, because now the user leaves.
            if leftAt == nil || (before == .inactive && allowance > timeAway) { leave(at: now) }
            return lockIfAwayTooLong(at: now)
        }
    }

    /// Opens the screen. If no question is pending, locks the vault again.
    private mutating func open(at now: Duration) -> [Effect] {
        guard state == .asking else { return [.lock] }
        state = .open
        // The machine does not ask in the background, so the prompt still has the input.
        if phase != .active { excusePrompt(at: now) }
        return []
    }

    private mutating func ask() -> [Effect] {
        guard state == .locked else { return [] }
        isRefused = false
        // The user would not see a question now. The machine asks when the app returns.
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
        // On a device with very slow prompts, asking again automatically would never end.
        if allowance > timeAway { isRefused = true }
        return lock()
    }

    private func isAwayTooLong(at now: Duration) -> Bool {
        guard let leftAt else { return false }
        return now < leftAt || now - leftAt >= allowance
    }
}
