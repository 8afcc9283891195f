/// A request or an operator's action for the page to show: its contents, the verification steps in order, and the audit
/// entries.
///
/// It contains no secrets. Tokens and codes are replaced by their length and a hash. A signed message is of
/// no use without the token or the handle that was sent with it.
struct ServerEvent: Encodable, Hashable, Sendable {
    enum Sender: String, Encodable, Sendable {
        case phone = "Phone"
        case backend = "Backend"
        case browser = "Browser"
        case shop = "Shop"
        case `operator` = "Operator"
    }

    /// The request line and the status of its answer.
    struct Request: Encodable, Hashable, Sendable {
        let text: String
        let status: Int
    }

    struct Fact: Encodable, Hashable, Sendable {
        let label: String
        let value: String
    }

    /// A verification step with its number in docs/protocol.md, and the value that was checked.
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
    /// The server's time in UTC.
    let time: String
    let sender: Sender
    /// Nil for an operator's action.
    let request: Request?
    let headline: String
    let facts: [Fact]
    let steps: [Step]
    /// Whether the request ends a ceremony. The page opens the steps of such a request.
    let endsCeremony: Bool
    let audit: [Entry]
    let messages: [SignedMessage]
}
