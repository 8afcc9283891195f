/// The reason why a text is not a valid signed message. Nothing of it may be used, and a retry does not help.
public enum JWSError: Error, Hashable, Sendable {
    /// The text is larger than ``CompactJWS/byteCountLimit``.
    case tooLarge
    /// The text is not three parts in ``Base64URL``, joined by dots.
    case malformed
    /// The header requires extensions, and this version understands none.
    case criticalExtension
    /// The header is not the required JSON object. An unknown or missing `alg` or `typ` is reported here.
    case invalidHeader(StrictJSONError)
    /// The message is not of the expected kind.
    case wrongType(MessageType)
    /// The payload is not the JSON object that the kind requires.
    case invalidClaims(StrictJSONError)
}
