/// A refusal by the relying party's own routes, `application/problem+json`
/// ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)).
public struct Problem: Error, Codable, Hashable, Sendable {
    public static let contentType = "application/problem+json"

    /// `urn:nightlatch:problem:` and the code.
    public let type: String
    /// One sentence for people.
    public let title: String
    /// What is wrong with this request, for who has made it: which member breaks which rule. It is in English and may change.
    public let detail: String?
    /// The HTTP status.
    public let status: Int
    public let code: ProblemCode
    /// How the device stands with its two-party PIN, where a message about it was refused because it stands otherwise.
    public let pin: PinStanding?
    /// The relying party's clock, where a message was refused because it is not alive by it.
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

    /// Whether ``type`` is that of ``code``. If not, another server or a proxy has answered, and the code is not the relying party's.
    public var isOfRelyingParty: Bool { type == Self.type(of: code) }

    private static func type(of code: ProblemCode) -> String { "urn:nightlatch:problem:" + code.rawValue }

    private enum CodingKeys: String, CodingKey {
        case type, title, detail, status, code, pin
        case issuedAt = "issued_at"
    }
}
