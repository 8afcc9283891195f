import Nightlatch
import NightlatchWire

/// The subject of a decision: a transaction, or a remote login with the number that the user entered.
enum DecisionSubject: Sendable {
    case transaction(PendingTransaction)
    case login(PendingRemoteLogin, number: RemoteLoginNumber?)

    /// Tries the PIN once, and sends the decision if the PIN is right.
    func decide(
        _ decision: TransactionDecision,
        in session: Session,
        vault: Vault,
        keys: any DeviceKeys,
        pin: borrowing Pin
    ) async throws(DecisionError) -> DecisionReceipt {
        switch self {
        case .transaction(let transaction):
            let decider = TransactionDecider(vault: vault, keys: keys)
            switch decision {
            case .confirm: return try await decider.confirm(transaction, in: session, pin: pin)
            case .reject: return try await decider.reject(transaction, in: session, pin: pin)
            }
        case .login(let login, let number):
            let decider = RemoteLoginDecider(vault: vault, keys: keys)
            switch decision {
            case .confirm: return try await decider.confirm(login, number: number, in: session, pin: pin)
            case .reject: return try await decider.reject(login, in: session, pin: pin)
            }
        }
    }

    /// Asks for the PIN until one is right, and sends the decision.
    func decide(
        _ decision: TransactionDecision,
        asking service: LocalAuthService,
        in session: Session,
        keys: any DeviceKeys,
        reason: String
    ) async throws(DecisionError) -> TransactionResult {
        switch self {
        case .transaction(let transaction):
            try await service.decide(decision, on: transaction, in: session, keys: keys, reason: reason)
        case .login(let login, let number):
            try await service.decide(decision, on: login, number: number, in: session, keys: keys, reason: reason)
        }
    }
}
