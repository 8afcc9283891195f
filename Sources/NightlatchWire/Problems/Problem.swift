/// A refusal by the relying party's own routes, `application/problem+json`
/// ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)).
public struct Problem: Error, Codable, Hashable, Sendable {
    public static let contentType = "application/problem+json"

    /// `urn:nightlatch:problem:` and the code.
    public let type: String
    /// One sentence for people.
    public let title: String
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
        pin: PinStanding? = nil,
        issuedAt: NumericDate? = nil
    ) {
        type = "urn:nightlatch:problem:" + code.rawValue
        self.title = title
        self.status = status
        self.code = code
        self.pin = pin
        self.issuedAt = issuedAt
    }

    private enum CodingKeys: String, CodingKey {
        case type, title, status, code, pin
        case issuedAt = "issued_at"
    }
}
