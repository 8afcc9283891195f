/// What the page shows of one request: what came, what was verified in which order, what was written down.
///
/// It tells no secret: of tokens and codes their length and a hash.
struct ServerEvent: Encodable, Hashable, Sendable {
    struct Fact: Encodable, Hashable, Sendable {
        let label: String
        let value: String
    }

    /// A step of a ceremony as docs/protocol.md numbers it, and by what it held.
    struct Step: Encodable, Hashable, Sendable {
        let number: Int
        let text: String
        let evidence: String?
    }

    /// An entry of the audit log.
    struct Entry: Encodable, Hashable, Sendable {
        let text: String
        let hash: String
    }

    let number: Int
    /// By the server's clock, in UTC.
    let time: String
    let sender: String
    let request: String
    let status: Int
    let headline: String
    let facts: [Fact]
    let steps: [Step]
    /// Whether this is where a ceremony ends, whose steps are worth seeing at once.
    let endsCeremony: Bool
    let audit: [Entry]
}
