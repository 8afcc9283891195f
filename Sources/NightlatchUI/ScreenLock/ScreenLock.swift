public import Nightlatch
public import Observation

/// A screen that is locked behind a `LocalAuthService`, and locks again when the person was away.
///
/// ```swift
/// let pad = PinPadModel()
/// let service = LocalAuthService(profile: alice.id, in: profiles, prompt: pad)
/// @State private var lock = ScreenLock(service, pad: pad, reason: "Show the balance", clock: SystemLockoutClock())
/// ```
///
/// A window needs a lock of its own, since one may be in front while another is not. In SwiftUI `lockedBehind(_:)` draws it and tells it where the app is. What is shown while it is open takes its secrets from ``vault``.
@MainActor @Observable
public final class ScreenLock {
    /// The vault while the screen is open; nil while it is locked.
    public internal(set) var vault: OpenVault?
    /// How the last asking ended; nil while the person is asked. After ``PinPadEnd/blocked(_:)`` and ``PinPadEnd/erased`` show the way
    /// that leads back, since asking again does not.
    public internal(set) var end: PinPadEnd?
    /// What else happened on the way to ``end``: above all that the enrolled biometrics have changed.
    public internal(set) var events: [LocalAuthEvent] = []
    /// Why nobody could be asked, where ``end`` is ``PinPadEnd/failed``.
    public internal(set) var error: LocalAuthError?
    /// The pad that the service asks with.
    public let pad: PinPadModel

    private var lock: AwayLock
    @ObservationIgnored let service: LocalAuthService
    @ObservationIgnored let reason: String
    @ObservationIgnored private let clock: any LockoutClock
    @ObservationIgnored var asking: Task<Void, Never>?
    /// The number of what was asked last; nil once it was withdrawn.
    @ObservationIgnored var question: Int?
    @ObservationIgnored var questionCount = 0
    /// The last of what vaults are told, which is told in order.
    @ObservationIgnored private var telling: Task<Void, Never>?

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
    }

    isolated deinit { asking?.cancel() }

    /// Whether what is locked is there, seen or covered.
    public var isOpen: Bool { lock.state == .open }
    /// Whether the person is asked now.
    public var isAsking: Bool { lock.state == .asking }
    /// Whether nothing of what is locked may be seen.
    public var isCovered: Bool { lock.isCovered }

    /// Whether there is something to be had by asking: nobody is asked, and the PIN was neither blocked nor the vault erased.
    public var canAsk: Bool {
        guard lock.state == .locked else { return false }
        return switch end {
        case .blocked, .erased: false
        case nil, .unlocked, .pinSet, .cancelled, .missing, .failed: true
        }
    }

    /// Tells where the app is. In front, a locked screen asks; in the background nobody is asked: what was typed is forgotten, and a prompt for
    /// biometrics is taken away.
    public func appIs(_ phase: AppPhase) {
        handle(.phase(phase))
        guard let vault else { return }
        switch phase {
        case .active:
            tell { [weak self] in
                await vault.appWillEnterForeground()
                if await vault.isLocked { await self?.askAgain(for: vault) }
            }
        case .inactive: break
        case .background: tell { await vault.appDidEnterBackground() }
        }
    }

    /// Asks the person, if the screen is locked and they are not being asked.
    public func unlock() { handle(.ask) }

    /// Locks the screen and its vault, also if the person is being asked just now. They are asked when they want to be, or when they come back.
    public func lockNow() { handle(.lock) }

    /// Returns when the vault knows all that it was told.
    package func settle() async { await telling?.value }

    func handle(_ event: AwayLock.Event) {
        for effect in lock.handle(event, at: clock.continuousTime()) {
            switch effect {
            case .ask: ask()
            case .lock:
                guard let vault = vault.take() else { break }
                tell { await vault.lock() }
            case .withdraw: withdraw()
            }
        }
    }

    func tell(_ call: @escaping @Sendable () async -> Void) {
        telling = Task { [telling] in
            await telling?.value
            await call()
        }
    }

    /// The vault has locked by itself, by a time of its own.
    private func askAgain(for locked: OpenVault) {
        guard vault === locked else { return }
        handle(.lock)
        handle(.ask)
    }
}
