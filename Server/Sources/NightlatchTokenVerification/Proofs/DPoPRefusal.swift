package import NightlatchWire

/// Why a DPoP proof was refused. On the wire those of the nonce have an answer of their own, and all others one; logs and tests
/// tell them apart.
package enum DPoPRefusal: Error, Hashable, Sendable {
    /// No `DPoP` header, or more than one.
    case notExactlyOneProof
    /// Not a signed message of the kind.
    case malformed(JWSError)
    /// The header carries no key.
    case keyNotNamed
    case wrongSignature
    /// `htm` is not the request's method.
    case wrongMethod
    /// `htu` is not the request's address.
    case wrongURL
    /// It has no nonce, where one is demanded.
    case nonceMissing
    /// Its nonce is too old, or is not the server's.
    case nonceRefused
    /// `iat` is more than a minute away, where no nonce is demanded.
    case wrongTime
    /// `ath` is not the access token's hash, or is missing beside one.
    case wrongAccessToken
    /// The key is not the one that is expected.
    case wrongKey
}
