import HTTPTypes
import Hummingbird
import NightlatchWire

/// A message as a route's answer.
struct JSONAnswer<Message: Encodable>: ResponseGenerator {
    let message: Message

    init(_ message: Message) {
        self.message = message
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        var headers = HTTPFields()
        // Of its own, and those that all answers have.
        headers.reserveCapacity(8)
        headers[.contentType] = "application/json"
        return Response(status: .ok, headers: headers, body: ResponseBody(json: message))
    }
}

extension ResponseBody {
    init(json message: some Encodable) {
        self.init(byteBuffer: ByteBuffer(bytes: StrictJSON.bytes(of: message)))
    }
}
