package import NightlatchWire

/// The reason why an operator's request had no effect.
package enum AdministrationError: Error, Hashable, Sendable {
    case userUnknown
    /// The user has no such device, or there is no such user.
    case deviceUnknown
    case transactionUnknown
    /// The device was revoked or replaced, which cannot be undone.
    case deviceRevoked
    /// The transaction is no longer pending.
    case transactionEnded(TransactionState)
    case appUnknown
    /// The app's id is not new, or the app was changed or removed since it was read.
    case appChanged
    case tooManyApps
    /// There is no such API key.
    case apiKeyUnknown
    /// A key that is not revoked has this name.
    case apiKeyNameTaken
    case tooManyAPIKeys
    /// The key would have expired already.
    case apiKeyExpired
    /// The user is no operator.
    case operatorUnknown
    /// The user is an operator already, with this role.
    case alreadyOperator(OperatorRole)
    /// Another operator has this name.
    case operatorNameTaken
    case tooManyOperators
    /// The only owner would no longer be one.
    case lastOwner
    /// The store failed. A change may or may not have been made; the caller can safely repeat the request.
    case store(RelyingPartyStoreError)
}
