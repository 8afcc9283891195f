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
        Response(status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(json: message))
    }
}

extension ResponseBody {
    init(json message: some Encodable) {
        self.init(byteBuffer: ByteBuffer(bytes: StrictJSON.bytes(of: message)))
    }
}
