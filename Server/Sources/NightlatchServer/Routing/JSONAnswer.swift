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
        Response(status: .ok, json: message)
    }
}

extension Response {
    /// An answer that is `message`.
    init(status: HTTPResponse.Status, contentType: HTTPField = .json, json message: some Encodable) {
        let content = ByteBuffer(bytes: StrictJSON.bytes(of: message))
        var headers = HTTPFields()
        // With room for what every answer is given besides; and with the length, which is set by a search otherwise.
        headers.reserveCapacity(8)
        headers.append(contentType)
        headers.append(HTTPField(name: .contentLength, value: String(content.readableBytes)))
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: content))
    }
}
