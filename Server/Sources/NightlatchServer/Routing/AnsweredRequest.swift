/// An answered request as it is logged. No field contains text from the client.
public struct AnsweredRequest: Sendable {
    /// The request's id, as in the answer's `X-Request-Id` and in the request's other log lines.
    public let id: String
    /// The pattern of the path, such as `/v1/devices/{device}`; `other` if no route matches.
    public let route: String
    /// The status of the answer, such as 200.
    public let status: Int
    /// The time from the start of the request's handling until its answer was ready. Waiting behind earlier requests of
    /// the connection does not count.
    public let duration: Duration

    /// Creates a value as the server does, for tests of an ``AccessLog``.
    public init(id: String, route: String, status: Int, duration: Duration) {
        self.id = id
        self.route = route
        self.status = status
        self.duration = duration
    }
}

extension AnsweredRequest {
    /// The log message.
    package static let message = "Answered a request"

    var microseconds: Int { Int(duration / .microseconds(1)) }

    /// The log fields, sorted by name.
    package var fields: [(key: String, value: String)] {
        [
            (RelyingPartyRequestContext.idKey, id),
            ("microseconds", String(microseconds)),
            ("route", route),
            ("status", String(status)),
        ]
    }
}
