package import NightlatchRelyingParty

/// Posts signed events to receivers.
package protocol WebhookTransport: Sendable {
    /// Posts `body` to `url`. Follows no redirect, and ignores the body of the answer.
    func post(_ body: [UInt8], to url: WebhookURL, headers: [(name: String, value: String)]) async -> WebhookAnswer

    /// Ends the transport's connections. Called once, after the last post.
    func close() async
}

/// How a receiver answered.
package enum WebhookAnswer: Hashable, Sendable {
    case status(Int)
    /// There was no answer: no connection, a refused certificate, or a connection that ended early.
    case none
    /// There was no answer in time.
    case late

    /// Why the attempt failed; nil if the receiver has accepted the event.
    package var failure: WebhookFailure? {
        switch self {
        case .status(let status): WebhookFailure(status: status)
        case .none: .unreachable
        case .late: .timedOut
        }
    }
}
