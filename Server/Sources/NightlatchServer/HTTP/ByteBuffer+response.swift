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
        reserveCapacity(minimumWritableBytes: 512 + body.readableBytes)
        writeStaticString("HTTP/1.1 ")
        writeString(String(head.status.code))
        writeStaticString(" ")
        writeString(head.status.reasonPhrase)
        writeStaticString("\r\n")
        for field in head.headerFields {
            writeString(field.name.rawName)
            writeStaticString(": ")
            writeString(field.value)
            writeStaticString("\r\n")
        }
        writeStaticString("\r\n")
        writeImmutableBuffer(body)
    }
}
