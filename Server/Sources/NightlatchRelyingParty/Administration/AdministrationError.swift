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
    /// The operator's own API key was revoked or has expired since the request was admitted.
    case apiKeyCreatorEnded
    /// The new key would have a scope or a life that the operator's own API key does not have.
    case apiKeyBeyondCreator
    case webhookUnknown
    /// The webhook was changed or removed since it was read.
    case webhookChanged
    case tooManyWebhooks
    /// The cryptographic library could not make a secret, which is a defect.
    case noWebhookSecret
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
