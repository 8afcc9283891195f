package import NightlatchWire

/// The reason why a DPoP proof was refused.
///
/// All reasons about the nonce give one response, and all others give another. Only logs and tests distinguish the
/// reasons.
package enum DPoPRefusal: Error, Hashable, Sendable {
    /// The request has no `DPoP` header, or more than one.
    case notExactlyOneProof
    /// The proof is not a well-formed signed message of the DPoP type.
    case malformed(JWSError)
    /// The header contains no key.
    case keyNotNamed
    case wrongSignature
    /// `htm` is not the request's method.
    case wrongMethod
    /// `htu` is not the request's address.
    case wrongURL
    /// The proof has no nonce, but one is required.
    case nonceMissing
    /// The nonce is too old, or this server did not make it.
    case nonceRefused
    /// No nonce is required, and `iat` differs from the current time by more than a minute.
    case wrongTime
    /// `ath` is not the access token's hash, or is missing although there is an access token.
    case wrongAccessToken
    /// The key is not the expected one.
    case wrongKey
}
