import NightlatchWire

/// A question of a journey to the app's backend: which of these outcomes holds?
package struct BackendQuestion: Hashable, Sendable {
    /// The address that the question is sent to.
    let url: String
    let timeout: Duration
    /// The outcomes that the backend may choose.
    let outcomes: [String]
    let journey: String
    let node: String
    /// The user whose identity the client has proved, if any.
    let user: UserID?
    /// The user name that the client entered, if any. It is not verified.
    let username: String?
    /// The values of the attributes that the node sends, by name.
    let attributes: [String: String]

    /// How long a signed question is valid.
    private static let life: Duration = .seconds(60)

    /// The claims of the signed question.
    func claims(issuer: Issuer, realm: JourneyRealm, now: NumericDate) -> JSONValue {
        let known = [("sub", user?.rawValue), ("username", username)].compactMap { name, text in
            text.map { JSONObject.Member(name, .string($0)) }
        }
        let attributes = attributes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        let values = attributes.map { JSONObject.Member($0.key, .string($0.value)) }
        let always: [JSONObject.Member] = [
            .init("iss", .string(issuer.rawValue)),
            .init("aud", .string(url)),
            .init("iat", .integer(now.secondsSince1970)),
            .init("exp", .integer((now + Self.life).secondsSince1970)),
            .init("jti", .string(Challenge.random().rawValue)),
            .init("realm", .string(realm.path)),
            .init("journey", .string(journey)),
            .init("node", .string(node)),
            .init("outcomes", .array(outcomes.map(JSONValue.string))),
            .init("attributes", .object(values)),
        ]
        return .object(always + known)
    }
}
