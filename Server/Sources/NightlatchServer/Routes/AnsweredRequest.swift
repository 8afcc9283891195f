/// What is known of a request once it is answered. Nothing of it was written by the sender.
public struct AnsweredRequest: Sendable {
    /// The request's name, which its answer bears as `X-Request-Id`, and every other line that it has in the log.
    public let id: String
    /// The pattern of its path, as `/v1/devices/{device}`; `other` for what is not served.
    public let route: String
    /// The answer's, as 200.
    public let status: Int
    /// From when it had come whole until its answer was made.
    public let duration: Duration
}

extension AnsweredRequest {
    /// What a log says of it.
    package static let message = "Answered a request"

    /// What a log knows of it besides, in the order of the names.
    package var fields: [(key: String, value: String)] {
        [
            (RelyingPartyRequestContext.idKey, id),
            ("microseconds", String(Int(duration / .microseconds(1)))),
            ("route", route),
            ("status", String(status)),
        ]
    }
}
