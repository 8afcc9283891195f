internal import NightlatchWire

/// What an app wants signed along.
struct CustomClaims: Sendable {
    /// Why claims may not be signed.
    struct Refused: Error {}

    /// The names that say what a message is. Nobody else writes them.
    static let reserved: Set<String> = ["sub", "exp", "iat", "nbf", "iss", "challenge"]
    /// What the relying party keeps of a message, and no message with more is accepted.
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
