/// A refusal by one of the relying party's own routes, `application/problem+json`
/// ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)).
public struct Problem: Error, Codable, Hashable, Sendable {
    public static let contentType = "application/problem+json"

    /// `urn:nightlatch:problem:` followed by the code.
    public let type: String
    /// One sentence for people.
    public let title: String
    /// A note for the developer of the client: which member of the request breaks which rule. It is in English and may
    /// change.
    public let detail: String?
    /// The HTTP status.
    public let status: Int
    public let code: ProblemCode
    /// The current state of the device's two-party PIN, if the refused message assumed another state.
    public let pin: PinStanding?
    /// The time of the relying party's clock, if it refused the message as expired or not yet valid.
    public let issuedAt: NumericDate?

    public init(
        _ code: ProblemCode,
        status: Int,
        title: String,
        detail: String? = nil,
        pin: PinStanding? = nil,
        issuedAt: NumericDate? = nil
    ) {
        type = Self.type(of: code)
        self.title = title
        self.detail = detail
        self.status = status
        self.code = code
        self.pin = pin
        self.issuedAt = issuedAt
    }

    /// Whether ``type`` matches ``code``. If not, another server or a proxy answered, and the code is not the relying
    /// party's.
    public var isOfRelyingParty: Bool { type == Self.type(of: code) }

    private static func type(of code: ProblemCode) -> String { "urn:nightlatch:problem:" + code.rawValue }

    private enum CodingKeys: String, CodingKey {
        case type, title, detail, status, code, pin
        case issuedAt = "issued_at"
    }
}
