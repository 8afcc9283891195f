import NightlatchTokenVerification
package import NightlatchWire

/// Why a signed message was refused. The answer on the wire is the same for all of them; logs and tests tell them apart.
package enum MessageRefusal: Error, Hashable, Sendable {
    /// Not a signed message of the expected kind.
    case malformed(JWSError)
    /// The header does not name the key as this kind of message must.
    case keyNotNamed
    /// The key is not the one expected.
    case wrongKey
    /// The signature is not by the key, or is of an algorithm that the key does not do.
    case wrongSignature
    /// `iss` is not an app that may speak here.
    case wrongIssuer
    /// `sub` is not the user of the ceremony.
    case wrongSubject
    /// `aud` is not this relying party.
    case wrongAudience
    /// `challenge` is not the ceremony's.
    case wrongChallenge
    /// `transaction_id` is not the ceremony's.
    case wrongTransaction
    /// `iat` and `exp` allow more than a message may live, or are in the wrong order.
    case lifeTooLong
    /// `iat` is in the future.
    case notYetValid
    /// `exp` is past.
    case expired
}

extension MessageRefusal: SignedMessageRefusal {}
