package import NightlatchWire

/// The reason why a DPoP proof was refused.
///
/// On the wire there is one response for the reasons about the nonce, and one for all others; logs and tests
/// distinguish them.
package enum DPoPRefusal: Error, Hashable, Sendable {
    /// The request has no `DPoP` header, or more than one.
    case notExactlyOneProof
    /// The proof is not a signed message of this kind.
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
    /// The nonce is too old, or is not the server's.
    case nonceRefused
    /// No nonce is required, and `iat` differs from the current time by more than a minute.
    case wrongTime
    /// `ath` is not the access token's hash, or is missing although there is an access token.
    case wrongAccessToken
    /// The key is not the expected one.
    case wrongKey
}
