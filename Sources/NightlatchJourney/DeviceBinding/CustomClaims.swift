internal import NightlatchWire

/// The app's claims, which are signed with the message.
struct CustomClaims: Sendable {
    /// The claims may not be signed.
    struct Refused: Error {}

    /// The names that define the message. The app may not set them.
    static let reserved: Set<String> = ["sub", "exp", "iat", "nbf", "iss", "challenge"]
    /// The maximum size, in bytes. The relying party accepts and stores no more.
    static let byteCountLimit = 4 * 1024

    let members: JSONObject

    init(_ claims: [String: Any]) throws(Refused) {
        guard reservedNames(in: claims).isEmpty, let value = JSONValue(foundation: claims), let object = value.object,
            value.bytes.count <= Self.byteCountLimit
        else { throw Refused() }
        members = object
    }
}

private func reservedNames(in claims: [String: Any]) -> Set<String> {
    CustomClaims.reserved.intersection(claims.keys)
}
