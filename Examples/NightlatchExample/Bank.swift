import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchUI
import NightlatchWire
import Observation

/// What the app knows: who is registered, whether they are logged in, and which payments wait.
@MainActor @Observable
final class Bank {
    private(set) var lock: ScreenLock?
    private(set) var session: Session?
    private(set) var payments: [PendingTransaction] = []
    /// The last thing that did not work.
    private(set) var problem: String?
    /// Asks for PINs that are chosen, and for those that confirm a payment. The lock has a pad of its own.
    let pad = PinPadModel()

    private let profiles: Profiles
    private let keys: any DeviceKeys
    private let server = HTTPRelyingParty(issuer: .example)
    private var profile: Profile?

    init() {
        let folder = NSHomeDirectory() + "/Library/Application Support/NightlatchExample"
        let keys = SoftwareDeviceKeys(folder: folder + "/keys")
        self.keys = keys
        profiles = Profiles(
            registry: FileStore(path: folder + "/profiles"), deviceKeys: keys, remembersPinLengths: true
        ) {
            Vault(
                store: FileStore(path: "\(folder)/\($0.id.rawValue).vault"), clock: SystemLockoutClock(),
                lockoutPolicy: .payment, pinPolicy: $0.pinPolicy)
        }
    }

    /// Finishes what an earlier start left undone, and finds whoever is registered.
    func start() async {
        await attempt {
            _ = try await profiles.resume()
            if let known = try await profiles.all().first { use(known) }
        }
    }

    func register(_ name: String, code: String) async {
        guard let name = ProfileName(rawValue: name), let code = EnrolmentCode(code),
            let device = DeviceName(rawValue: "Example app")
        else {
            problem = "Type a name, and the code as it was given to you."
            return
        }
        await attempt {
            let outcome = try await profiles.register(name, prompt: pad) { [profiles, server] profile, vault in
                guard let keys = profiles.deviceKeys(of: profile.id) else { throw CocoaError(.featureUnsupported) }
                _ = try await DeviceBinder(relyingParty: server, keys: keys).bind(vault, code: code, deviceName: device)
            }
            guard case .registered(let profile, let vault) = outcome else { return pad.end(.cancelled) }
            await vault.lock()
            pad.end(.pinSet)
            use(profile)
        }
    }

    /// Logs in with the vault that the lock has opened, and asks what waits.
    func logIn(_ vault: OpenVault) async {
        await attempt {
            let session = try await Login(relyingParty: server, keys: keys).logIn(vault)
            self.session = session
            payments = try await session.pendingTransactions()
        }
    }

    func changePin() async {
        guard let profile else { return }
        await attempt {
            let result = try await LocalAuthService(profile: profile.id, in: profiles, prompt: pad).changePin()
            switch result.outcome {
            case .changed(let vault):
                await vault.lock()
                pad.end(.pinSet)
            case .cancelled, .waiting: pad.end(.cancelled)
            case .blocked(let unblocking): pad.end(.blocked(unblocking))
            case .erased: pad.end(.erased)
            }
        }
    }

    /// Confirms or rejects a payment with a PIN for this one decision, again for as long as the PIN is wrong.
    func decide(_ payment: PendingTransaction, confirms: Bool) async {
        guard let profile, let session else { return }
        await attempt {
            let vault = profiles.vault(of: profile)
            let decider = TransactionDecider(vault: vault, keys: keys)
            var lastTry: PinRefusal?
            while let challenge = try await challenge(profile, vault, paying: payment.details, after: lastTry) {
                guard case .pin(let box) = await pad.enterPin(challenge), let pin = box.take() else {
                    return pad.end(.cancelled)
                }
                do {
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

    /// What the pad is to ask; nil, and the pad says so, if no PIN may be tried any more.
    private func challenge(
        _ profile: Profile, _ vault: Vault, paying details: TransactionDetails, after lastTry: PinRefusal?
    ) async throws -> PinChallenge? {
        let (tries, wait): (Int, Duration?)
        switch try await vault.state() {
        case .ready(let left): (tries, wait) = (left, nil)
        case .waiting(let time, let left): (tries, wait) = (left, time)
        case .blocked(let unblocking):
            pad.end(.blocked(unblocking))
            return nil
        case .absent:
            pad.end(.erased)
            return nil
        }
        let reason = "\(details.amount.rawValue) \(details.currency.rawValue) to \(details.payee.rawValue)"
        return PinChallenge(
            profile: profile, purpose: .unlock(reason: reason), failureCount: LockoutPolicy.payment.limit - tries,
            triesLeft: tries, pinLength: profile.pinLength, lastTry: lastTry, wait: wait)
    }

    private func use(_ profile: Profile) {
        self.profile = profile
        let pad = PinPadModel()
        let service = LocalAuthService(profile: profile.id, in: profiles, prompt: pad)
        lock = ScreenLock(service, pad: pad, reason: "Show your payments", clock: SystemLockoutClock())
    }

    /// An app of more than an example tells each error apart, and what to do about it.
    private func attempt(_ work: () async throws -> Void) async {
        problem = nil
        do {
            try await work()
        } catch {
            problem = "That did not work: \(error)"
            pad.end(.failed)
        }
    }
}
