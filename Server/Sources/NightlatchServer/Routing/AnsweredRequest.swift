/// What is known of a request once it is answered. Nothing of it was written by the sender.
public struct AnsweredRequest: Sendable {
    /// The request's name, which its answer bears as `X-Request-Id`, and every other line that it has in the log.
    public let id: String
    /// The pattern of its path, as `/v1/devices/{device}`; `other` for what is not served.
    public let route: String
    /// The answer's, as 200.
    public let status: Int
    /// From when its answering began, after the requests before it on its connection, until its answer was made.
    public let duration: Duration

    /// As the server makes it, for tests of an ``AccessLog``.
    public init(id: String, route: String, status: Int, duration: Duration) {
        self.id = id
        self.route = route
        self.status = status
        self.duration = duration
    }
}

extension AnsweredRequest {
    /// What a log says of it.
    package static let message = "Answered a request"

    var microseconds: Int { Int(duration / .microseconds(1)) }

    /// What a log knows of it besides, in the order of the names.
    package var fields: [(key: String, value: String)] {
        [
            (RelyingPartyRequestContext.idKey, id),
            ("microseconds", String(microseconds)),
            ("route", route),
            ("status", String(status)),
        ]
    }
}
