import Foundation
import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

extension Response {
    init(_ body: JSONValue, status: HTTPResponse.Status = .ok) {
        self.init(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body.bytes)))
    }
}

extension JourneyAnswer {
    var response: Response {
        if case .refused = result { Response(body, status: .unauthorized) } else { Response(body) }
    }
}

extension RefusalAnswer {
    /// The answer of the journey routes, in PingAM's error format.
    var journeyResponse: Response {
        let message = status == .unauthorized ? "Access Denied" : detail ?? sentence
        var response = Response(
            .object([
                .init("code", .integer(status.code)), .init("reason", .string(status.reasonPhrase)),
                .init("message", .string(message)),
            ]), status: status)
        response.headers[.retryAfter] = retryAfter
        response.headers[.allow] = allowedMethods
        return response
    }
}
