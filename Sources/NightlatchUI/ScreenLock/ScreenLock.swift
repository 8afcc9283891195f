public import Nightlatch
public import Observation

/// A screen that is locked with a `LocalAuthService`. It locks after an absence of the user and when its vault ends.
///
/// ```swift
/// let pad = PinPadModel()
/// let service = LocalAuthService(profile: alice.id, in: profiles, prompt: pad)
/// @State private var lock = ScreenLock(service, pad: pad, reason: "Show the balance", clock: SystemLockoutClock())
/// ```
///
/// Each window needs its own lock, because one window may be in front while another is not. In SwiftUI,
/// `lockedBehind(_:)` draws the lock and reports the app's phase. The view behind it takes its secrets from ``vault``.
///
/// The vault determines whether the screen is open: ``isOpen`` is true only while the vault returns its secrets. The
/// vault ends when it locks by itself (`AutoLock`), when the app locks it, and when a PIN change anywhere in the
/// process supersedes it. Then this window locks, and so do the profile's other windows. Each window can ask again. A
/// PIN change by another process is noticed at the next use of the vault and when the app comes to the front. A window
/// that locks because of an absence does not lock the other windows.
@MainActor @Observable
public final class ScreenLock {
    /// The end of the last question. Nil while the user is asked.
    ///
    /// After ``PinPadEnd/blocked(_:)`` and ``PinPadEnd/erased``, show the user how to recover access. Asking again
    /// cannot succeed.
    public internal(set) var end: PinPadEnd?
    /// Other events on the way to ``end``, such as a change of the enrolled biometrics.
    public internal(set) var events: [LocalAuthEvent] = []
    /// The reason why the user could not be asked, if ``end`` is ``PinPadEnd/failed``.
    public internal(set) var error: LocalAuthError?
    /// The pad with which the service asks.
    public let pad: PinPadModel

    private var lock: AwayLock
    /// The unlocked vault, until the screen locks. It may have ended already.
    private var shown: OpenVault?
    @ObservationIgnored let service: LocalAuthService
    @ObservationIgnored let reason: String
    @ObservationIgnored private let clock: any LockoutClock
    @ObservationIgnored var asking: Task<Void, Never>?
    /// The number of the latest question. Nil after it was withdrawn.
    @ObservationIgnored var question: Int?
    @ObservationIgnored var questionCount = 0
    /// The latest call to a vault. Calls run in order.
    @ObservationIgnored private var telling: Task<Void, Never>?
    /// Waits for the end of the current vault.
    @ObservationIgnored private var following: Task<Void, Never>?
    /// Waits for the deadline of ``lock``.
    @ObservationIgnored private var timing: (deadline: Duration, task: Task<Void, Never>)?

    /// Creates a locked screen.
    ///
    /// - Parameters:
    ///   - service: The service that asks the user. Its prompt is `pad`.
    ///   - pad: The pad to draw.
    ///   - reason: The reason for the question, as a sentence for the user. Not empty.
    ///   - timeAway: The time that the user may be away before the screen locks.
    ///   - clock: The clock for that time. The user must not be able to set it back.
    public init(
        _ service: LocalAuthService,
        pad: PinPadModel,
        reason: String,
        timeAway: Duration = .seconds(60),
        clock: any LockoutClock
    ) {
        self.service = service
        self.pad = pad
        self.reason = reason
        self.clock = clock
        lock = AwayLock(timeAway: timeAway)
        ScreenLocks.add(self)
    }

    isolated deinit {
        asking?.cancel()
        following?.cancel()
        timing?.task.cancel()
    }

    /// The vault while the screen is open. Nil while it is locked.
    public var vault: OpenVault? { isOpen ? shown : nil }
    /// Whether the protected view is present, visible or covered.
    public var isOpen: Bool { lock.state == .open && shown?.opening.end == nil }
    /// Whether the user is being asked.
    public var isAsking: Bool { lock.state == .asking }
    /// Whether the protected view must be hidden.
    public var isCovered: Bool { !isOpen || lock.isCovered }

    /// Whether asking can succeed: no question is pending, the PIN is not blocked, and the vault is not erased.
    public var canAsk: Bool {
        guard !isOpen, !isAsking else { return false }
        return switch end {
        case .blocked, .erased: false
        case nil, .unlocked, .pinSet, .cancelled, .missing, .failed: true
        }
    }

    /// Reports the app's phase.
    ///
    /// When the app is in front, a locked screen asks the user. In the background the screen withdraws its question: it
    /// discards the typed digits and ends a biometric prompt.
    public func appIs(_ phase: AppPhase) {
        lockIfEnded()
        handle(.phase(phase))
        guard let vault else { return }
        switch phase {
        case .active:
            tell {
                await vault.appWillEnterForeground()
                await vault.endIfSuperseded()
            }
        case .inactive: break
        case .background:
            // Immediately, because the system may suspend the process before a task runs.
            vault.opening.enterBackground()
            tell { await vault.appDidEnterBackground() }
        }
    }

    /// Asks the user, if the screen is locked and no question is pending.
    public func unlock() {
        lockIfEnded()
        handle(.ask)
    }

    /// Locks all windows of the profile with their vaults, and withdraws their questions. The user is asked again on
    /// request or on return.
    public func lockNow() {
        for screen in ScreenLocks.ofProfile(of: self) { screen.handle(.lock) }
    }

    /// Waits until the vault has handled all earlier calls.
    package func settle() async { await telling?.value }

    func handle(_ event: AwayLock.Event) {
        let isPrompted = SystemPrompts.ofThisProcess.areUp
        for effect in lock.handle(event, at: clock.continuousTime(), isPrompted: isPrompted) {
            switch effect {
            case .ask: ask()
            case .lock: lockVault()
            case .withdraw: withdraw()
            }
        }
        keepTime()
    }

    func tell(_ call: @escaping @Sendable () async -> Void) {
        telling = Task { [telling] in
            await telling?.value
            await call()
        }
    }

    func show(_ vault: OpenVault) {
        shown = vault
        following?.cancel()
        following = Task { [weak self, opening = vault.opening] in
            guard await opening.ended() != nil else { return }
            self?.lockIfEnded(opening)
        }
        handle(.opened)
    }

    private func lockVault() {
        guard let vault = shown.take() else { return }
        following?.cancel()
        // The vault returns no secrets from now on. The task overwrites its key.
        vault.opening.finish(.locked)
        tell { await vault.lock() }
        // The pad still shows that the screen is open, or asks a question for the view behind the lock.
        pad.withdraw()
    }

    private func lockIfEnded(_ opening: VaultOpening? = nil) {
        guard let shown, let end = shown.opening.end, opening == nil || shown.opening === opening else { return }
        handle(.vaultEnded)
        // Other windows notice a superseded vault themselves. The window that changed the PIN keeps its vault.
        guard end == .locked, lock.phase != .background else { return }
        for screen in ScreenLocks.ofProfile(of: self) where screen !== self { screen.handle(.vaultEnded) }
    }

    /// Locks when the time away is up, even if no event comes.
    private func keepTime() {
        guard lock.deadline != timing?.deadline else { return }
        timing?.task.cancel()
        timing = lock.deadline.map { deadline in
            let task = Task { [weak self, clock] in
                do {
                    try await clock.sleep(until: deadline)
                } catch {
                    return
                }
                self?.timePassed()
            }
            return (deadline, task)
        }
    }

    private func timePassed() {
        timing = nil
        handle(.time)
    }
}
