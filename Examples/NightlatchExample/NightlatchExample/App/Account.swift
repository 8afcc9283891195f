import Nightlatch
import NightlatchUI
import Observation

/// The user's account while the vault is open. The screen that shows it discards it when it locks.
@MainActor @Observable
final class Account {
    let bank: Bank
    let profile: Profile
    let vault: OpenVault
    /// The pad of all questions behind the lock. The lock has its own pad.
    let pad = PinPadModel()
    /// The tasks that belong to no list: the PIN, and what the unlock has found.
    let work = Work()
    /// Whether the screen asks for a new enrolment code.
    var needsNewCode = false
    private let lock: ScreenLock
    private var current: (session: Session, end: ContinuousClock.Instant)?

    init(_ profile: Profile, in bank: Bank, vault: OpenVault, lock: ScreenLock) {
        self.profile = profile
        self.bank = bank
        self.vault = vault
        self.lock = lock
    }

    var keys: any DeviceKeys { bank.keys(of: profile) }

    /// A session whose access token is valid for at least ten more seconds.
    func session() async throws -> Session {
        if let current, ContinuousClock.now < current.end { return current.session }
        let begun = ContinuousClock.now
        let session = try await Login(relyingParty: bank.server, keys: keys).resume(vault)
        current = (session, begun + session.life - .seconds(10))
        return session
    }

    /// Forgets the session, whose access token the server refuses from now on.
    func endSession() { current = nil }

    func service(order: AuthenticatorOrder = .preferred) -> LocalAuthService {
        bank.service(of: profile, asking: pad, order: order)
    }

    /// Reports what the unlock has found besides the right PIN.
    func report(_ events: [LocalAuthEvent]) {
        if events.contains(.biometricsFailed(.enrolmentChanged)) {
            work.notice = Notice("Faces or fingers of this device have changed. Turn them on again in Security.")
        } else if let failure = vault.rekeyFailure {
            work.notice = Notice(of: failure)
        }
    }

    /// Locks the screen and asks again. If no PIN opens the vault any more, the locked screen says what to do.
    func unlockAgain() {
        lock.lockNow()
        lock.unlock()
    }

    /// Carries out the remedy of a notice. The screen itself opens the system's settings.
    func carryOut(_ remedy: Notice.Remedy) {
        switch remedy {
        case .none, .openSettings: break
        case .unlockAgain, .enterPhrase: unlockAgain()
        case .enterNewCode: needsNewCode = true
        }
    }

    func lockNow() { lock.lockNow() }

    /// Cancels a pending question, because the screen goes.
    func leave() { pad.withdraw() }
}
