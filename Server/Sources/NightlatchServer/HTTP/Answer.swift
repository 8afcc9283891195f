package import HTTPTypes
package import NIOCore

/// A complete answer to a request.
///
/// It replaces `HTTPResponse`, which stores the status as text and parses it again.
package struct Answer {
    let status: HTTPResponse.Status
    private(set) var headers: HTTPFields
    /// The time of the answer, in the format of the `Date` header.
    let date: String
    private(set) var content: ByteBuffer

    package init(status: HTTPResponse.Status, headers: HTTPFields, date: String, content: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.headers = headers
        self.date = date
        self.content = content
    }

    /// A copy of this answer that tells the client that the connection ends.
    var last: Answer {
        var last = self
        last.headers[.connection] = "close"
        return last
    }

    /// Sets the `Content-Length`, and removes content that the answer must not have
    /// ([RFC 9112, section 6](https://www.rfc-editor.org/rfc/rfc9112#section-6)).
    ///
    /// - Parameter method: The method of the request.
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
