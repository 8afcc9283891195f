import Nightlatch
import NightlatchPlatform
import NightlatchUI
import NightlatchWire
import Observation

/// The person's account at the bank while the vault is open. It is discarded when the screen locks.
@MainActor @Observable
final class Account {
    private(set) var session: Session?
    private(set) var payments: [PendingTransaction] = []
    /// Logins in a browser that wait for the person; nil before the first answer.
    private(set) var remoteLogins: PendingRemoteLogins?
    /// The pad for new PINs and for deciding payments. The lock has its own pad.
    let pad = PinPadModel()
    private let bank: Bank
    private let profile: Profile

    init(_ profile: Profile, in bank: Bank) { (self.bank, self.profile) = (bank, profile) }
    private var service: LocalAuthService { LocalAuthService(profile: profile.id, in: bank.profiles, prompt: pad) }

    func logIn(_ vault: OpenVault) async {
        await bank.attempt(on: pad) {
            let session = try await Login(relyingParty: bank.server, keys: bank.keys).logIn(vault)
            self.session = session
            try await refresh(session)
        }
    }

    /// Reads both lists. An error of one does not hide the other.
    private func refresh(_ session: Session) async throws {
        // The screen may lock while the lists are read.
        defer { if self.session == nil { (payments, remoteLogins) = ([], nil) } }
        var failure: (any Error)?
        do { payments = try await session.pendingTransactions() } catch { failure = error }
        do { remoteLogins = try await session.pendingRemoteLogins() } catch { failure = failure ?? error }
        if let failure { throw failure }
    }

    /// Runs `work`, then reads the lists, also after an error: the decision may have arrived.
    private func change(
        on pad: PinPadModel? = nil,
        in session: Session,
        _ work: () async throws -> Void
    ) async {
        await bank.attempt(on: pad) {
            do {
                try await work()
            } catch {
                // The user sees the first error; the lists stay as they are if they cannot be read either.
                try? await refresh(session)
                throw error
            }
            try await refresh(session)
        }
    }

    /// Withdraws questions, ends the session and clears the screen's data, because the screen locks.
    func leave() {
        pad.withdraw()
        (session, payments, remoteLogins, bank.problem) = (nil, [], nil, nil)
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
        await change(on: pad, in: session) {
            pad.show(
                try await service.decide(decision, on: payment, in: session, keys: bank.keys, reason: why).outcome)
        }
    }

    /// Adds the login of the login page whose QR code the person scanned.
    func claim(scanned text: String) async {
        guard let session else { return }
        guard let code = RemoteLoginCode(scanned: text, issuer: bank.server.issuer) else {
            return bank.problem = "This is not a login code of this bank."
        }
        await change(in: session) { _ = try await session.claimRemoteLogin(code) }
    }

    /// Decides a login in a browser. To confirm it, the person enters the number that the login page shows.
    func decide(_ login: PendingRemoteLogin, _ decision: TransactionDecision, number text: String) async {
        guard let session else { return }
        let number = decision == .confirm && login.details.hasNumber ? RemoteLoginNumber(rawValue: text) : nil
        let why = "log in to \(login.details.app.rawValue)"
        await change(on: pad, in: session) {
            let result = try await service.decide(
                decision, on: login, number: number, in: session, keys: bank.keys, reason: why)
            pad.show(result.outcome)
        }
    }
}
