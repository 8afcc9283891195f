/// Why a text is no signed message of ours. Nothing in it may be used; there is nothing to retry.
public enum JWSError: Error, Hashable, Sendable {
    /// Larger than ``CompactJWS/byteCountLimit``.
    case tooLarge
    /// Not three parts in ``Base64URL``, joined by dots.
    case malformed
    /// The header names extensions that must be understood, and are not.
    case criticalExtension
    /// The header is not the JSON object it must be. An unknown or missing `alg` or `typ` ends here.
    case invalidHeader(StrictJSONError)
    /// The message is of another kind than was expected.
    case wrongType(MessageType)
    /// The payload is not the JSON object that its kind demands.
    case invalidClaims(StrictJSONError)
}
