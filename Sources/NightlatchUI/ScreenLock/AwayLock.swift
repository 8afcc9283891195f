/// Where an app is, as its scene tells.
public enum AppPhase: Hashable, Sendable, CaseIterable {
    /// It is in front and takes input.
    case active
    /// It is seen, and something else has the input: another app beside it, the app switcher, a prompt of the system.
    case inactive
    /// It is not seen.
    case background
}

/// When a screen is locked and when it is covered, as a pure machine: told what happens and when, it says what is to be done.
///
/// It begins locked. While it is open, leaving the app covers it at once, and being away for too long locks it. A clock that goes back
/// counts as too long: what cannot be told locks.
///
/// The system's own prompts make an app ``AppPhase/inactive``. So while the person is being asked, only the background counts as away: then the
/// question is withdrawn, with whatever was typed, and put anew when they come back.
public struct AwayLock: Hashable, Sendable {
    public enum State: Hashable, Sendable {
        /// Nobody is asked; the person has refused, or the app is not in front.
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
    }

    public enum Effect: Hashable, Sendable {
        /// Ask the person.
        case ask
        /// Lock the vault.
        case lock
        /// The person is not asked any more. A vault that opens all the same is an ``Event/opened`` that comes too late.
        case withdraw
    }

    /// How long the app may be left while it is open. Zero locks it whenever it is left.
    public let timeAway: Duration
    public private(set) var state = State.locked
    private var phase = AppPhase.inactive
    /// Since when it has been left: read only while it is open or asks.
    private var leftAt: Duration?
    /// Whether the person has refused and wants to be asked no more until they say so or come back.
    private var isRefused = false

    /// - Parameter timeAway: Zero or above.
    public init(timeAway: Duration) {
        precondition(timeAway >= .zero, "a time away cannot be negative")
        self.timeAway = timeAway
    }

    /// Whether nothing of what is locked may be seen.
    public var isCovered: Bool { state != .open || phase != .active }

    /// Takes an event.
    ///
    /// - Parameters:
    ///   - event: What has happened.
    ///   - now: The reading of a clock that runs on in sleep and that nobody can set.
    /// - Returns: What is to be done, in this order.
    public mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
        switch event {
        case .phase(let phase): return move(to: phase, at: now)
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
        }
    }

    private mutating func move(to phase: AppPhase, at now: Duration) -> [Effect] {
        self.phase = phase
        switch phase {
        case .active:
            let effects = state == .open && isAwayTooLong(at: now) ? lock() : []
            leftAt = nil
            return effects + (isRefused ? [] : ask())
        case .inactive:
            if state == .open { leftAt = leftAt ?? now }
            return []
        case .background:
            leftAt = leftAt ?? now
            isRefused = false
            return state == .asking ? withdraw() : []
        }
    }

    /// A vault that opens when nobody waits for it, or too late, is locked again.
    private mutating func open(at now: Duration) -> [Effect] {
        guard state == .asking, !isAwayTooLong(at: now) else { return lock() }
        state = .open
        if phase != .active { leftAt = leftAt ?? now }
        return []
    }

    private mutating func ask() -> [Effect] {
        guard state == .locked else { return [] }
        isRefused = false
        // Nobody sees a question there; it is asked when the app is back.
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
        return [.lock]
    }

    private func isAwayTooLong(at now: Duration) -> Bool {
        guard let leftAt else { return false }
        return now < leftAt || now - leftAt >= timeAway
    }
}
