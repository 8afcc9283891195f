import NightlatchTokenVerification
package import NightlatchWire

/// The reason why a signed message was refused.
///
/// The response is the same for all reasons; logs and tests distinguish them.
package enum MessageRefusal: Error, Hashable, Sendable {
    /// The text is not a signed message of the expected kind.
    case malformed(JWSError)
    /// The header does not name the key in the way that this kind of message requires.
    case keyNotNamed
    /// The key is not the expected key.
    case wrongKey
    /// The key did not make the signature, or does not support its algorithm.
    case wrongSignature
    /// `iss` is not a permitted app.
    case wrongIssuer
    /// `sub` is not the user of the ceremony.
    case wrongSubject
    /// `aud` is not this relying party.
    case wrongAudience
    /// `challenge` is not the ceremony's.
    case wrongChallenge
    /// `transaction_id` or `login_id` is not the ceremony's.
    case wrongDecidedID
    /// `iat` and `exp` permit a longer lifetime than allowed, or are in the wrong order.
    case lifeTooLong
    /// `iat` is in the future.
    case notYetValid
    /// `exp` is past.
    case expired
}

extension MessageRefusal: SignedMessageRefusal {}
