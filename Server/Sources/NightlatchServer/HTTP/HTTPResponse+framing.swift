import HTTPTypes
import NIOCore

extension HTTPResponse {
    /// This answer as the last of its connection.
    var last: HTTPResponse {
        var last = self
        last.headerFields[.connection] = "close"
        return last
    }

    /// Says how long `content` is, and drops what an answer like this does not have
    /// ([RFC 9112, section 6](https://www.rfc-editor.org/rfc/rfc9112#section-6)).
    ///
    /// - Parameters:
    ///   - content: All that there is to say.
    ///   - method: That of the request.
    mutating func frame(_ content: inout ByteBuffer, answering method: HTTPRequest.Method) {
        switch status {
        case .noContent, .notModified:
            headerFields[.contentLength] = nil
            content = ByteBuffer()
        default:
            guard method != .head else { return content = ByteBuffer() }
            if !headerFields.contains(.contentLength) {
                headerFields[.contentLength] = String(content.readableBytes)
            }
        }
    }
}
