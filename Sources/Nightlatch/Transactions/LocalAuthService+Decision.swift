public import NightlatchWire

/// What came of asking a person to decide a transaction.
public struct TransactionResult: Sendable {
    public let outcome: TransactionOutcome
    /// What else the app should know, in the order in which it happened.
    public let events: [LocalAuthEvent]
}

/// How it ended, as a screen needs it. The transaction is decided in the first case alone.
public enum TransactionOutcome: Sendable {
    /// The relying party has recorded the decision.
    case decided(DecisionReceipt)
    /// As ``UnlockOutcome/cancelled``.
    case cancelled
    /// As ``UnlockOutcome/waiting(_:triesLeft:)``.
    case waiting(Duration, triesLeft: Int)
    /// As ``UnlockOutcome/blocked(_:)``.
    case blocked(Unblocking)
    /// As ``UnlockOutcome/erased``.
    case erased
    /// As ``UnlockOutcome/missing``.
    case missing
}

extension LocalAuthService {
    /// Asks for biometrics or the PIN, for this one decision, and sends it.
    ///
    /// The person is asked as ``unlock(reason:)`` asks: again after a wrong PIN, until one is right, they cancel, or
    /// none may be tried. The vault is opened for the decision alone and locked again; one that is open elsewhere is
    /// not used. A transaction that has ended before is found out before the person is asked.
    ///
    /// ```swift
    /// let result = try await auth.decide(.confirm, on: payment, in: session, keys: keys, reason: "Pay 129.90 EUR")
    /// ```
    ///
    /// - Parameters:
    ///   - decision: What the person said to the transaction.
    ///   - transaction: What was shown.
    ///   - session: A session of the device whose binding the vault holds.
    ///   - keys: The device's keys.
    ///   - clientID: The app that bound the device.
    ///   - reason: What is decided, in a sentence that the person is shown; not empty.
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
        // Only to find out whether the transaction still waits: while the person is asked, a challenge may expire.
        _ = try await session.beginDecision(on: transaction)
        let unlocked: UnlockResult
        do {
            unlocked = try await unlock(reason: reason)
        } catch {
            throw .localAuth(error)
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
    /// Decides with a vault that was opened for this decision, and locks it whatever happens.
    fileprivate func decide(
        _ decision: TransactionDecision,
        _ transaction: PendingTransaction,
        in session: Session,
        with open: OpenVault
    ) async throws(DecisionError) -> DecisionReceipt {
        do {
            return try await decide(decision, transaction, in: session) { () async throws(DecisionError) in open }
        } catch {
            // The challenge is asked for before the vault is taken over.
            await open.lock()
            throw error
        }
    }
}
