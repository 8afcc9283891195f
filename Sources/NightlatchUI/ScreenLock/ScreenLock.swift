public import Nightlatch
public import Observation

/// A screen that is locked behind a `LocalAuthService`. It locks when the person was away, and whenever its vault is open no more.
///
/// ```swift
/// let pad = PinPadModel()
/// let service = LocalAuthService(profile: alice.id, in: profiles, prompt: pad)
/// @State private var lock = ScreenLock(service, pad: pad, reason: "Show the balance", clock: SystemLockoutClock())
/// ```
///
/// A window needs a lock of its own, since one may be in front while another is not. In SwiftUI `lockedBehind(_:)` draws it and tells it
/// where the app is. What is shown while it is open takes its secrets from ``vault``.
///
/// The vault decides whether the screen is open: ``isOpen`` is true only while the vault gives its secrets. When the vault locks by itself
/// (`AutoLock`), is locked by the app, or is superseded by a PIN change anywhere in the process, this window locks and so do the profile's
/// other windows; each can ask again. A change by another process is found at the next use of the vault and when the app comes to the front.
/// A window that was left locks alone.
@MainActor @Observable
public final class ScreenLock {
    /// How the last asking ended; nil while the person is asked. After ``PinPadEnd/blocked(_:)`` and ``PinPadEnd/erased`` show the way
    /// that leads back, since asking again does not.
    public internal(set) var end: PinPadEnd?
    /// What else happened on the way to ``end``: above all that the enrolled biometrics have changed.
    public internal(set) var events: [LocalAuthEvent] = []
    /// Why the person could not be asked, where ``end`` is ``PinPadEnd/failed``.
    public internal(set) var error: LocalAuthError?
    /// The pad that the service asks with.
    public let pad: PinPadModel

    private var lock: AwayLock
    /// The vault that the person has opened, until the screen locks. It may have ended since.
    private var shown: OpenVault?
    @ObservationIgnored let service: LocalAuthService
    @ObservationIgnored let reason: String
    @ObservationIgnored private let clock: any LockoutClock
    @ObservationIgnored var asking: Task<Void, Never>?
    /// The number of what was asked last; nil once it was withdrawn.
    @ObservationIgnored var question: Int?
    @ObservationIgnored var questionCount = 0
    /// The last of what vaults are told, which is told in order.
    @ObservationIgnored private var telling: Task<Void, Never>?
    /// Waits for the end of the vault that is shown.
    @ObservationIgnored private var following: Task<Void, Never>?
    /// Waits for the deadline of ``lock``.
    @ObservationIgnored private var timing: (deadline: Duration, task: Task<Void, Never>)?

    /// - Parameters:
    ///   - service: Who asks the person. Its prompt is `pad`.
    ///   - pad: The pad to draw.
    ///   - reason: Why the person is asked, in a sentence that they are shown; not empty.
    ///   - timeAway: How long the app may be left before the screen locks.
    ///   - clock: What that time is measured by. A person must not be able to set it back.
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

    /// The vault while the screen is open; nil while it is locked.
    public var vault: OpenVault? { isOpen ? shown : nil }
    /// Whether what is locked is there, seen or covered.
    public var isOpen: Bool { lock.state == .open && shown?.opening.end == nil }
    /// Whether the person is asked now.
    public var isAsking: Bool { lock.state == .asking }
    /// Whether nothing of what is locked may be seen.
    public var isCovered: Bool { !isOpen || lock.isCovered }

    /// Whether there is something to be had by asking: the person is not asked now, the PIN is not blocked and the vault is not erased.
    public var canAsk: Bool {
        guard !isOpen, !isAsking else { return false }
        return switch end {
        case .blocked, .erased: false
        case nil, .unlocked, .pinSet, .cancelled, .missing, .failed: true
        }
    }

    /// Tells where the app is. In front, a locked screen asks; in the background no question is asked: what was typed is forgotten, and a
    /// prompt for biometrics is taken away.
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
            // At once, since the system may suspend the process before a task runs.
            vault.opening.enterBackground()
            tell { await vault.appDidEnterBackground() }
        }
    }

    /// Asks the person, if the screen is locked and they are not being asked.
    public func unlock() {
        lockIfEnded()
        handle(.ask)
    }

    /// Locks every window of the profile with its vault, also where the person is being asked just now. They are asked when they want to be, or
    /// when they come back.
    public func lockNow() {
        for screen in ScreenLocks.ofProfile(of: self) { screen.handle(.lock) }
    }

    /// Returns when the vault knows all that it was told.
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
        // It gives nothing from now on; its key is overwritten when it comes to run.
        vault.opening.finish(.locked)
        tell { await vault.lock() }
        // It says that the screen is open, or asks something for what is behind the lock.
        pad.withdraw()
    }

    private func lockIfEnded(_ opening: VaultOpening? = nil) {
        guard let shown, let end = shown.opening.end, opening == nil || shown.opening === opening else { return }
        handle(.vaultEnded)
        // Another window's vault learns by itself that it is superseded, and the one in which the PIN was changed is not.
        guard end == .locked, lock.phase != .background else { return }
        for screen in ScreenLocks.ofProfile(of: self) where screen !== self { screen.handle(.vaultEnded) }
    }

    /// Locks when the time away is up, also if no event comes.
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
