package import HTTPTypes
import NIOHTTP1

/// Why the server refused a request that it did not read to its end.
package enum RequestRefusal: String, CaseIterable, Sendable {
    /// The request is not valid HTTP, is incomplete, or does not name exactly one host.
    case malformed
    /// The request's head exceeds the limit on bytes or on fields.
    case headTooLarge = "head_too_large"
    /// The request did not arrive in time.
    case tooSlow = "too_slow"

    init(_ error: HTTPParserError) {
        self = error == .headerOverflow ? .headTooLarge : .malformed
    }

    /// The status of the answer.
    package var status: HTTPResponse.Status {
        switch self {
        case .malformed: .badRequest
        case .headTooLarge: .requestHeaderFieldsTooLarge
        case .tooSlow: .requestTimeout
        }
    }
}
