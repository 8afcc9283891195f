import Nightlatch
import NightlatchUI
import NightlatchWire
import Observation

/// The person's account at the bank while the vault is open. It is discarded when the screen locks.
@MainActor @Observable
final class Account {
    private(set) var session: Session?
    private(set) var payments: [PendingTransaction] = []
    /// The pad for new PINs and for deciding payments. The lock has its own pad.
    let pad = PinPadModel()
    private let bank: Bank
    private let profile: Profile

    init(_ profile: Profile, in bank: Bank) { (self.bank, self.profile) = (bank, profile) }
    private var service: LocalAuthService { LocalAuthService(profile: profile.id, in: bank.profiles, prompt: pad) }

    func logIn(_ vault: OpenVault) async {
        await bank.attempt(on: pad) {
            let session = try await Login(relyingParty: bank.server, keys: bank.keys).logIn(vault)
            payments = try await session.pendingTransactions()
            self.session = session
        }
    }

    /// Withdraws questions, ends the session and clears the screen's data, because the screen locks.
    func leave() {
        pad.withdraw()
        (session, payments, bank.problem) = (nil, [], nil)
    }

    func turnOnBiometrics(_ vault: OpenVault) async {
        await bank.attempt(on: pad) { try await service.setUp(.biometrics, in: vault) }
    }

    /// - Parameter vault: The open vault of the screen. It stays open with the new PIN.
    func changePin(_ vault: OpenVault) async {
        await bank.attempt(on: pad) { pad.show(try await service.changePin(in: vault).outcome) }
    }

    /// Decides a payment. The library asks for a face, a finger or the PIN, and asks again after a wrong PIN.
    func decide(_ payment: PendingTransaction, _ decision: TransactionDecision) async {
        guard let session else { return }
        let details = payment.details
        let why = "\(details.amount.rawValue) \(details.currency.rawValue) to \(details.payee.rawValue)"
        await bank.attempt(on: pad) {
            pad.show(
                try await service.decide(decision, on: payment, in: session, keys: bank.keys, reason: why).outcome)
            payments = try await session.pendingTransactions()
        }
    }
}
