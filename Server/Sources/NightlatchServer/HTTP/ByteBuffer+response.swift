package import HTTPTypes
package import NIOCore

extension ByteBuffer {
    /// Writes an answer as it goes over the wire ([RFC 9112](https://www.rfc-editor.org/rfc/rfc9112#section-4)). `HTTPFields` holds no
    /// value that could end its line.
    ///
    /// - Parameters:
    ///   - head: With a `Content-Length`, unless answers of its status have none.
    ///   - body: All of it.
    package mutating func write(_ head: HTTPResponse, body: ByteBuffer) {
        // Put together first: each piece that is written to a buffer looks after its memory.
        var text = "HTTP/1.1 "
        text.reserveCapacity(512)
        text += String(head.status.code)
        text += " "
        text += head.status.reasonPhrase
        text += "\r\n"
        for field in head.headerFields {
            text += field.name.rawName
            text += ": "
            text += field.value
            text += "\r\n"
        }
        text += "\r\n"
        reserveCapacity(minimumWritableBytes: text.utf8.count + body.readableBytes)
        writeString(text)
        writeImmutableBuffer(body)
    }
}
