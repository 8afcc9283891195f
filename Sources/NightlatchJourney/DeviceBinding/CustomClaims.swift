internal import NightlatchWire

/// The app's claims, which are signed with the message.
struct CustomClaims: Sendable {
    /// The claims may not be signed.
    struct Refused: Error {}

    /// The maximum size, in bytes. The relying party accepts and stores no more.
    static let byteCountLimit = 4 * 1024

    let members: JSONObject

    init(_ claims: [String: Any]) throws(Refused) {
        guard ReservedClaims.names(in: claims).isEmpty, let value = JSONValue(foundation: claims),
            let object = value.object,
            value.bytes.count <= Self.byteCountLimit
        else { throw Refused() }
        members = object
    }
}
