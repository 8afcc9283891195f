public import NightlatchWire

/// Has the person of this device decide transactions: shows nothing itself, and signs nothing that the person was not asked for just
/// then. ``LocalAuthService/decide(_:on:in:keys:clientID:reason:)`` asks the person too; this one is for apps that do
/// that themselves.
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
/// Every decision opens the vault anew, by a PIN that goes through the same gate as any other or by biometrics that release a key, and
/// locks it again. The device key signs only with a secret out of the vault, and a vault that is open elsewhere is not used. So a session
/// alone decides nothing, however long it lives.
///
/// The unlock may have something to tell that has nothing to do with the transaction: it is in the ``DecisionReceipt``.
///
/// A crash at any point leaves the transaction pending, or decided: the next call finds out (``DecisionError/ended(_:)``).
public struct TransactionDecider: Sendable {
    let vault: Vault
    let keys: any DeviceKeys
    let clientID: ClientID

    /// - Parameters:
    ///   - vault: The vault that holds the binding of the sessions that will be given.
    ///   - keys: The device's keys.
    ///   - clientID: The app that bound the device.
    public init(vault: Vault, keys: any DeviceKeys, clientID: ClientID = .default) {
        self.vault = vault
        self.keys = keys
        self.clientID = clientID
    }

    /// Confirms `transaction`, after a PIN for this one decision. A wrong PIN counts as anywhere, and decides nothing.
    @discardableResult
    public func confirm(
        _ transaction: PendingTransaction,
        in session: Session,
        pin: borrowing Pin
    ) async throws(DecisionError) -> DecisionReceipt {
        try await decide(.confirm, transaction, in: session) { () async throws(DecisionError) in
            try await open(with: pin)
        }
    }

    /// Rejects `transaction`, after a PIN for this one decision.
    @discardableResult
    public func reject(
        _ transaction: PendingTransaction,
        in session: Session,
        pin: borrowing Pin
    ) async throws(DecisionError) -> DecisionReceipt {
        try await decide(.reject, transaction, in: session) { () async throws(DecisionError) in
            try await open(with: pin)
        }
    }

    /// Confirms `transaction`, after the person's biometrics for this one decision.
    ///
    /// - Parameters:
    ///   - transaction: What was shown.
    ///   - session: A session of the device whose binding the vault holds.
    ///   - biometricReason: Why, in a sentence that the system shows to the person; not empty.
    @discardableResult
    public func confirm(
        _ transaction: PendingTransaction,
        in session: Session,
        biometricReason: String
    ) async throws(DecisionError) -> DecisionReceipt {
        try await decide(.confirm, transaction, in: session) { () async throws(DecisionError) in
            try await open(because: biometricReason)
        }
    }

    /// Rejects `transaction`, after the person's biometrics for this one decision.
    ///
    /// - Parameters:
    ///   - transaction: What was shown.
    ///   - session: A session of the device whose binding the vault holds.
    ///   - biometricReason: Why, in a sentence that the system shows to the person; not empty.
    @discardableResult
    public func reject(
        _ transaction: PendingTransaction,
        in session: Session,
        biometricReason: String
    ) async throws(DecisionError) -> DecisionReceipt {
        try await decide(.reject, transaction, in: session) { () async throws(DecisionError) in
            try await open(because: biometricReason)
        }
    }
}
