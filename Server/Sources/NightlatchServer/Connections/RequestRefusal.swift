package import HTTPTypes
import NIOHTTP1

/// Why a request is answered that was not read to its end.
package enum RequestRefusal: String, CaseIterable, Sendable {
    /// It is no HTTP, breaks off, or does not say which host it is for.
    case malformed
    /// Its head is larger than is read, or has more fields.
    case headTooLarge = "head_too_large"
    /// It has not come whole in its time.
    case tooSlow = "too_slow"

    init(_ error: HTTPParserError) {
        self = error == .headerOverflow ? .headTooLarge : .malformed
    }

    /// What its answer says.
    package var status: HTTPResponse.Status {
        switch self {
        case .malformed: .badRequest
        case .headTooLarge: .requestHeaderFieldsTooLarge
        case .tooSlow: .requestTimeout
        }
    }
}
