package import NightlatchWire

/// Why an operator's request had no effect.
package enum AdministrationError: Error, Hashable, Sendable {
    case userUnknown
    /// The user has no such device, or there is no such user.
    case deviceUnknown
    case transactionUnknown
    /// The device was revoked or replaced, which cannot be undone.
    case deviceRevoked
    /// The transaction is not pending any more.
    case transactionEnded(TransactionState)
    /// The store failed. Of a change it is not known whether it was made; asking again finds out, and does no harm.
    case store(StoreError)
}
