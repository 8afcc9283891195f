public import NightlatchWire

/// Signs the user's decisions about transactions, and sends them.
///
/// It shows nothing itself, and signs only after the user's PIN or biometrics for this decision. Use it in an app that
/// asks for the PIN itself; ``LocalAuthService/decide(_:on:in:keys:clientID:reason:)`` asks for it.
///
/// ```swift
/// let decider = TransactionDecider(vault: vault, keys: keys)
/// for transaction in try await session.pendingTransactions() {
///     switch await show(transaction.details) {
///     case .yes(let pin): try await decider.confirm(transaction, in: session, pin: pin)
///     case .no(let pin): try await decider.reject(transaction, in: session, pin: pin)
///     case .later: continue
///     }
/// }
/// ```
///
/// Every decision opens the vault again and then locks it. A PIN is charged like any other attempt; biometrics release
/// a key. The device key signs only with a secret from the vault, and a vault that is open elsewhere is not used. So a
/// session alone decides nothing, however long it is valid.
///
/// The ``DecisionReceipt`` contains findings of the unlock that do not concern the transaction.
///
/// After a crash at any point the transaction is either pending or decided: the next call reports a decided one
/// (``DecisionError/ended(_:)``).
public struct TransactionDecider: Sendable {
    private let signer: DecisionSigner

    /// Creates a decider.
    ///
    /// - Parameters:
    ///   - vault: The vault with the binding that the sessions belong to.
    ///   - keys: The device's keys.
    ///   - clientID: The app that bound the device.
    public init(vault: Vault, keys: any DeviceKeys, clientID: ClientID = .default) {
        signer = DecisionSigner(vault: vault, keys: keys, clientID: clientID)
    }

    /// Confirms `transaction`, after a PIN for this decision. A wrong PIN counts as an attempt, and decides nothing.
    @discardableResult
    public func confirm(
        _ transaction: PendingTransaction,
        in session: Session,
        pin: borrowing Pin
    ) async throws(DecisionError) -> DecisionReceipt {
        let choice = TransactionChoice(decision: .confirm, transaction: transaction)
        return try await signer.decide(choice, in: session, pin: pin)
    }

    /// Rejects `transaction`, after a PIN for this decision.
    @discardableResult
    public func reject(
        _ transaction: PendingTransaction,
        in session: Session,
        pin: borrowing Pin
    ) async throws(DecisionError) -> DecisionReceipt {
        let choice = TransactionChoice(decision: .reject, transaction: transaction)
        return try await signer.decide(choice, in: session, pin: pin)
    }

    /// Confirms `transaction`, after the user's biometrics for this decision.
    ///
    /// - Parameters:
    ///   - transaction: The transaction that was shown.
    ///   - session: A session of the device that the vault's binding belongs to.
    ///   - biometricReason: The reason for the prompt, in a sentence that the system shows to the user. It must not
    ///     be empty.
    @discardableResult
    public func confirm(
        _ transaction: PendingTransaction,
        in session: Session,
        biometricReason: String
    ) async throws(DecisionError) -> DecisionReceipt {
        let choice = TransactionChoice(decision: .confirm, transaction: transaction)
        return try await signer.decide(choice, in: session, biometricReason: biometricReason)
    }

    /// Rejects `transaction`, after the user's biometrics for this decision.
    ///
    /// - Parameters:
    ///   - transaction: The transaction that was shown.
    ///   - session: A session of the device that the vault's binding belongs to.
    ///   - biometricReason: The reason for the prompt, in a sentence that the system shows to the user. It must not
    ///     be empty.
    @discardableResult
    public func reject(
        _ transaction: PendingTransaction,
        in session: Session,
        biometricReason: String
    ) async throws(DecisionError) -> DecisionReceipt {
        let choice = TransactionChoice(decision: .reject, transaction: transaction)
        return try await signer.decide(choice, in: session, biometricReason: biometricReason)
    }
}
