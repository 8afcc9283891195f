import Nightlatch
import NightlatchUI
import NightlatchWire
import Observation

/// What a person sees and does while their vault is open. It goes when the screen locks.
@MainActor @Observable
final class Account {
    private(set) var session: Session?
    private(set) var payments: [PendingTransaction] = []
    private(set) var problem: String?
    /// Whether no PIN opens the vault any more, so that nothing is left but to start again.
    private(set) var isPinGone = false
    /// Asks for PINs that are chosen, and for those that decide a payment. The lock has a pad of its own.
    let pad = PinPadModel()
    private let bank: Bank
    private let profile: Profile

    init(_ profile: Profile, in bank: Bank) {
        self.bank = bank
        self.profile = profile
    }

    private var service: LocalAuthService { LocalAuthService(profile: profile.id, in: bank.profiles, prompt: pad) }

    func logIn(_ vault: OpenVault) async {
        await attempt {
            let session = try await Login(relyingParty: bank.server, keys: bank.keys).logIn(vault)
            payments = try await session.pendingTransactions()
            self.session = session
        }
    }

    /// The screen locks: nobody is asked any more, and nothing is shown or can be asked of the server.
    func leave() {
        pad.withdraw()
        (session, payments) = (nil, [])
    }

    func turnOnBiometrics(_ vault: OpenVault) async {
        await attempt { try await service.setUp(.biometrics, in: vault) }
    }

    func changePin() async {
        await attempt {
            switch try await service.changePin().outcome {
            case .changed(let vault):
                await vault.lock()
                pad.end(.pinSet)
            case .cancelled, .waiting: pad.withdraw()
            case .blocked(let unblocking): end(.blocked(unblocking))
            case .erased: end(.erased)
            }
        }
    }

    /// Decides a payment with a PIN for this one decision, again for as long as the PIN is wrong.
    func decide(_ payment: PendingTransaction, confirms: Bool) async {
        guard let session else { return }
        await attempt {
            let vault = bank.profiles.vault(of: profile)
            let decider = TransactionDecider(vault: vault, keys: bank.keys)
            var lastTry: PinRefusal?
            while let challenge = try await challenge(vault, paying: payment.details, after: lastTry) {
                switch await pad.enterPin(challenge) {
                case .cancelled, .biometrics: return pad.withdraw()
                case .forgotten: lastTry = try await vault.giveUpPin()
                case .pin(let box):
                    guard let pin = box.take() else { return pad.withdraw() }
                    do {
                        _ =
                            try await confirms
                            ? decider.confirm(payment, in: session, pin: pin)
                            : decider.reject(payment, in: session, pin: pin)
                        payments = try await session.pendingTransactions()
                        return pad.end(.unlocked)
                    } catch DecisionError.unlock(.refused(let refusal)) {
                        lastTry = refusal
                    }
                }
            }
        }
    }

    /// What the pad is to ask; nil, and the pad says so, if no PIN may be tried any more.
    private func challenge(
        _ vault: Vault, paying details: TransactionDetails, after lastTry: PinRefusal?
    ) async throws -> PinChallenge? {
        let (tries, wait): (Int, Duration?)
        switch try await vault.state() {
        case .ready(let left): (tries, wait) = (left, nil)
        case .waiting(let time, let left): (tries, wait) = (left, time)
        case .blocked(let unblocking): return end(.blocked(unblocking))
        case .absent: return end(.erased)
        }
        let reason = "\(details.amount.rawValue) \(details.currency.rawValue) to \(details.payee.rawValue)"
        return PinChallenge(
            profile: profile, purpose: .unlock(reason: reason), failureCount: LockoutPolicy.payment.limit - tries,
            triesLeft: tries, pinLength: profile.pinLength, lastTry: lastTry, wait: wait)
    }

    @discardableResult
    private func end(_ end: PinPadEnd) -> PinChallenge? {
        isPinGone = true
        pad.end(end)
        return nil
    }

    private func attempt(_ work: () async throws -> Void) async {
        problem = await failure(of: work)
        if problem != nil { pad.withdraw() }
    }
}
