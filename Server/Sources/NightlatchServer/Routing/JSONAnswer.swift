import HTTPTypes
import Hummingbird
import NightlatchWire

/// A message that a route returns as JSON.
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
    /// Creates an answer with `message` as its body.
    init(status: HTTPResponse.Status, contentType: HTTPField = .json, json message: some Encodable) {
        let content = ByteBuffer(bytes: StrictJSON.bytes(of: message))
        var headers = HTTPFields()
        // Reserves space for the headers that every answer gets. Also sets the length here: Hummingbird would first
        // search the headers for it.
        headers.reserveCapacity(8)
        headers.append(contentType)
        headers.append(HTTPField(name: .contentLength, value: String(content.readableBytes)))
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: content))
    }
}
