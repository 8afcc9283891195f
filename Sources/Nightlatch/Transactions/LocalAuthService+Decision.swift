public import NightlatchWire

/// The result of asking the user to decide a transaction.
public struct TransactionResult: Sendable {
    public let outcome: TransactionOutcome
    /// Events that the app should know about, besides the outcome, in the order in which they happened.
    public let events: [LocalAuthEvent]
}

/// The outcome of a decision. The transaction is decided only in the first case.
public enum TransactionOutcome: Sendable {
    /// The relying party has recorded the decision.
    case decided(DecisionReceipt)
    /// The user or the calling task cancelled; see ``UnlockOutcome/cancelled``.
    case cancelled
    /// The PIN cannot be tried yet; see ``UnlockOutcome/waiting(_:triesLeft:)``.
    case waiting(Duration, triesLeft: Int)
    /// The PIN no longer opens the vault; see ``UnlockOutcome/blocked(_:)``.
    case blocked(Unblocking)
    /// The vault was erased; see ``UnlockOutcome/erased``.
    case erased
    /// The store finds no vault; see ``UnlockOutcome/missing``.
    case missing
}

extension LocalAuthService {
    /// Asks for biometrics or the PIN for this one decision, and sends the decision.
    ///
    /// The user is asked in the same way as by ``unlock(reason:)``. After a wrong PIN the user is asked again, until
    /// the vault opens, the user cancels, or no PIN may be tried. The vault is opened only for this decision and locked
    /// again, even if the app already has an `OpenVault`. If the transaction has already ended, this throws before the
    /// user is asked.
    ///
    /// ```swift
    /// let result = try await auth.decide(.confirm, on: payment, in: session, keys: keys, reason: "Pay 129.90 EUR")
    /// ```
    ///
    /// - Parameters:
    ///   - decision: The user's decision.
    ///   - transaction: The transaction that was shown.
    ///   - session: A session of the device that the vault's binding belongs to.
    ///   - keys: The device's keys.
    ///   - clientID: The app that bound the device.
    ///   - reason: The action to decide, in a sentence that the user sees; not empty.
    /// - Throws: ``DecisionError``, which says for each case whether the decision may have been recorded.
    public func decide(
        _ decision: TransactionDecision,
        on transaction: PendingTransaction,
        in session: Session,
        keys: any DeviceKeys,
        clientID: ClientID = .default,
        reason: String
    ) async throws(DecisionError) -> TransactionResult {
        guard decision == .reject || transaction.canBeShown else { throw .cannotBeShown }
        // Only checks that the transaction is still pending. The challenge may expire while the user is asked.
        _ = try await session.beginDecision(on: transaction)
        let unlocked: UnlockResult
        do {
            unlocked = try await unlock(reason: reason)
        } catch {
            throw DecisionError(error)
        }
        let outcome: TransactionOutcome
        switch unlocked.outcome {
        case .unlocked(let open, by: _):
            let decider = TransactionDecider(vault: open.vault, keys: keys, clientID: clientID)
            outcome = .decided(try await decider.decide(decision, transaction, in: session, with: open))
        case .cancelled: outcome = .cancelled
        case .waiting(let time, let triesLeft): outcome = .waiting(time, triesLeft: triesLeft)
        case .blocked(let unblocking): outcome = .blocked(unblocking)
        case .erased: outcome = .erased
        case .missing: outcome = .missing
        }
        return TransactionResult(outcome: outcome, events: unlocked.events)
    }
}

extension TransactionDecider {
    /// Decides with a vault that was opened for this decision, and always locks it.
    fileprivate func decide(
        _ decision: TransactionDecision,
        _ transaction: PendingTransaction,
        in session: Session,
        with open: OpenVault
    ) async throws(DecisionError) -> DecisionReceipt {
        do {
            return try await decide(decision, transaction, in: session) { () async throws(DecisionError) in open }
        } catch {
            // The method above locks the vault only after it has called the closure. It may throw before that.
            await open.lock()
            throw error
        }
    }
}
