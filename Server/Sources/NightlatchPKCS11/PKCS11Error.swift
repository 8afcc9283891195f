package import NightlatchRelyingParty

/// The reason why a token gave no master key. Nothing was changed, except that the token counts wrong PINs.
package enum PKCS11Error: Error, Hashable, Sendable {
    /// The URI cannot be used. The text follows the words “The URI”.
    case uri(String)
    /// The file with the PIN cannot be used.
    case pinFile(SecretFileError)
    /// The library cannot be loaded, or does not begin to work: correct the path in `module-path`.
    case library(String)
    /// No token matches the URI: insert it, or correct the URI.
    case noToken
    /// Several tokens match the URI: name the token's `serial`.
    case severalTokens
    /// The PIN is wrong. The token has counted the attempt. Do not start again before the PIN is corrected.
    case pinWrong
    /// One more wrong PIN would block the token, so none was tried: log in with another program first.
    case lastAttempt
    /// The token accepts no PIN any more, until its security officer sets a new one.
    case pinBlocked
    /// The token has no such key.
    case noKey
    /// Several keys match the URI: name the key's `id` too.
    case severalKeys
    /// The key or the token cannot compute HMAC-SHA256.
    case keyUnusable(String)
    /// Another error of the token, which may be over at the next start.
    case failed(String)
}
