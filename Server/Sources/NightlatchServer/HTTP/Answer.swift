package import HTTPTypes
package import NIOCore

/// The answer to a request, whole.
///
/// It stands in the place of an `HTTPResponse` with its body, which keeps the status as text and reads it again.
package struct Answer {
    let status: HTTPResponse.Status
    private(set) var headers: HTTPFields
    /// When it was given, as `Date` has it.
    let date: String
    private(set) var content: ByteBuffer

    package init(status: HTTPResponse.Status, headers: HTTPFields, date: String, content: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.headers = headers
        self.date = date
        self.content = content
    }

    /// This answer as the last of its connection.
    var last: Answer {
        var last = self
        last.headers[.connection] = "close"
        return last
    }

    /// Says how long the content is, and drops what an answer like this does not have
    /// ([RFC 9112, section 6](https://www.rfc-editor.org/rfc/rfc9112#section-6)).
    ///
    /// - Parameter method: That of the request.
    mutating func frame(answering method: HTTPRequest.Method) {
        switch status {
        case .noContent, .notModified:
            headers[.contentLength] = nil
            content = ByteBuffer()
        default:
            guard method != .head else { return content = ByteBuffer() }
            if !headers.contains(.contentLength) { headers[.contentLength] = String(content.readableBytes) }
        }
    }
}
