import NightlatchRelyingParty
import NightlatchWire

/// A transaction as ``MemoryRelyingPartyStore`` stores it.
struct TransactionRecord {
    let id: TransactionID
    let user: UserID
    let addressees: TransactionAddressees
    let details: TransactionDetails
    let createdAt: NumericDate
    var end: End?

    /// The decision or voiding of a transaction. An expiry is not recorded.
    struct End {
        let state: TransactionState
        let at: NumericDate
        let proof: DecisionProof?
    }

    init(_ transaction: NewTransaction, now: NumericDate) {
        id = transaction.id
        user = transaction.user
        addressees = transaction.addressees
        details = transaction.details
        createdAt = now
    }

    func state(at now: NumericDate) -> TransactionState {
        end?.state ?? .open(until: details.expiresAt, now: now)
    }

    func recorded(at now: NumericDate) -> RecordedTransaction {
        RecordedTransaction(
            id: id, user: user, addressees: addressees, details: details, state: state(at: now), createdAt: createdAt,
            endedAt: end?.at, proof: end?.proof)
    }
}
