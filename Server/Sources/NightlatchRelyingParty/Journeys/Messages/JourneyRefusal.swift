/// Why a node took the way out that it took, for logs and the state of the journey. It holds nothing that the client wrote.
package enum JourneyRefusal: String, Error, Hashable, Sendable {
    /// Not a compact JWS, or its header or payload is not strictly of the form.
    case malformedMessage
    /// The header names extensions that must be understood, or another kind of message.
    case otherKindOfMessage
    /// The header carries no key, or one that is not what it says: of another algorithm, name or use.
    case keyRefused
    /// The signature is not by the key, or is not of the key's algorithm.
    case wrongSignature
    case wrongIssuer
    case wrongSubject
    case wrongChallenge
    case expired
    /// `exp` allows more than the node's time.
    case lifeTooLong
    case notYetValid
    /// The claims beyond those of the protocol are more than are kept.
    case tooManyClaims
    /// The answer carries neither a message with all that belongs to it nor a word of what went wrong.
    case emptyAnswer
    /// The client named an outcome that is not one for clients to choose.
    case foreignOutcome
    /// A name or a key is bound already.
    case keyTaken
    /// The user has as many keys as a user may have.
    case tooManyDevices
    /// The message served before.
    case messageUsed
    /// No key of this name is bound to the user.
    case unknownKey
    /// The user has no key.
    case noDevice
    /// Nothing is in the state where the challenge is to come from.
    case noChallenge
    /// What is in the state where the challenge is to come from has the form of a random one, which only the server makes.
    case foreignChallenge
    /// Nothing is in the state that could be stored.
    case noPendingDevice
    /// The journey knows no user whom it has authenticated.
    case noUser
    case wrongCredentials
    /// The journey went on and on without asking anything.
    case endless
    /// The state has become larger than a session may be.
    case stateTooLarge
    /// There is no such journey.
    case unknownJourney
    /// The client asks for a suspended journey, and none is ever suspended.
    case noSuspendedJourney
    /// `authId` was not made here, or was changed.
    case authIDRefused
    /// The session of the journey is over.
    case sessionExpired
    /// The session or the key that the client was known by is there no more.
    case groundGone
    /// What was asked was answered before.
    case answeredBefore
}
