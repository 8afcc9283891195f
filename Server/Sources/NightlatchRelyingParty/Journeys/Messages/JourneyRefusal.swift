/// The reason for a node's outcome, for logs and the state of the journey. It contains no text from the client.
package enum JourneyRefusal: String, Error, Hashable, Sendable {
    /// The message is not a compact JWS, or its header or payload does not have the strict form.
    case malformedMessage
    /// The header has critical extensions, or the type of another kind of message.
    case otherKindOfMessage
    /// The header has no key, or a key whose algorithm, name or use contradicts the header.
    case keyRefused
    /// The key did not make the signature, or made it with an algorithm that is not accepted for this key.
    case wrongSignature
    case wrongIssuer
    case wrongSubject
    case wrongChallenge
    case expired
    /// `exp` is later than the node's timeout permits.
    case lifeTooLong
    case notYetValid
    /// The claims that the protocol does not require are larger than permitted.
    case tooManyClaims
    /// The answer has neither a complete message nor a client error.
    case emptyAnswer
    /// The client named an outcome that clients may not choose.
    case foreignOutcome
    /// The name or the key is already bound.
    case keyTaken
    /// The user has as many keys as permitted.
    case tooManyDevices
    /// The message was used before.
    case messageUsed
    /// No key of this name is bound to the user.
    case unknownKey
    /// The user has no key.
    case noDevice
    /// The attribute that should hold the challenge is missing.
    case noChallenge
    /// The attribute that should hold the challenge looks like a random challenge, which only the server makes.
    case foreignChallenge
    /// The state holds no key that waits to be bound.
    case noPendingDevice
    /// The journey has not identified a user.
    case noUser
    case wrongCredentials
    /// The client entered no name or password for a new user, or a name that no user can have.
    case noCredentials
    /// A user of the entered name exists already.
    case userExists
    /// The journey passed too many nodes without asking the client.
    case endless
    /// The state has become too large for an `authId`.
    case stateTooLarge
    /// No journey has this name.
    case unknownJourney
    /// The client asks for a suspended journey, which this server does not support.
    case noSuspendedJourney
    /// The `authId` was not sealed by this relying party, or was changed.
    case authIDRefused
    /// The journey has expired.
    case sessionExpired
    /// The session or key that identified the client no longer exists.
    case groundGone
    /// The question was answered before.
    case answeredBefore
}
