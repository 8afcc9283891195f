import Nightlatch
import NightlatchWire
import Observation

/// Lists the payments and the logins in a browser that wait for the user, and sends the user's decisions.
@MainActor @Observable
final class Decisions {
    private(set) var payments: [PendingTransaction] = []
    private(set) var logins: [PendingRemoteLogin] = []
    /// Whether so many logins wait that an attacker may have requested them.
    private(set) var isFlooded = false
    /// Whether the lists are the server's.
    private(set) var isLoaded = false
    let work = Work()
    private let account: Account

    init(of account: Account) { self.account = account }

    func load() async {
        await work.run { try await reload() }
    }

    private func reload() async throws {
        let session = try await account.session()
        payments = try await session.pendingTransactions()
        let pending = try await session.pendingRemoteLogins()
        (logins, isFlooded, isLoaded) = (pending.logins, pending.isLimitReached, true)
    }

    func decide(_ payment: PendingTransaction, _ decision: TransactionDecision) async {
        await send(decision) {
            try await account.service().decide(
                decision, on: payment, in: account.session(), keys: account.keys, reason: payment.reason)
        } forget: {
            payments.removeAll { $0.id == payment.id }
        }
    }

    /// - Parameter number: The number on the login page, to confirm a login that has one.
    func decide(_ login: PendingRemoteLogin, _ decision: TransactionDecision, number: String) async {
        let number = decision == .confirm && login.details.hasNumber ? RemoteLoginNumber(rawValue: number) : nil
        await send(decision) {
            try await account.service().decide(
                decision, on: login, number: number, in: account.session(), keys: account.keys,
                reason: login.reason)
        } forget: {
            logins.removeAll { $0.id == login.id }
        }
    }

    /// Adds the login of the login page whose QR code the user scanned.
    func claim(scanned text: String) async {
        await work.run {
            guard let code = RemoteLoginCode(scanned: text, issuer: account.bank.server.issuer) else {
                work.notice = Notice("This is not a login code of this bank.")
                return
            }
            _ = try await account.session().claimRemoteLogin(code)
            try await reload()
        }
    }

    /// Sends a decision, and reads the lists again. After an error, too: the decision may have arrived.
    private func send(
        _ decision: TransactionDecision,
        _ decide: () async throws -> TransactionResult,
        forget: () -> Void
    ) async {
        await work.run(asking: account.pad) {
            do {
                switch try await decide().outcome {
                case .decided: forget()
                // The pad shows waits, so `waiting` does not occur.
                case .cancelled, .waiting: return
                case .blocked, .erased, .missing: return account.unlockAgain()
                }
            } catch {
                await reloadIfPossible()
                throw error
            }
            work.notice = Notice(decision == .confirm ? "Confirmed." : "Rejected.")
            await reloadIfPossible()
        }
    }

    private func reloadIfPossible() async {
        do {
            try await reload()
        } catch {
            // The notice of the decision matters more, and the user can load the lists again.
        }
    }
}
