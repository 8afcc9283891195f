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
        // Put together first, because each write to a buffer checks its room; and as bytes, because appending to a `String` checks more.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        func endLine() {
            bytes.append(UInt8(ascii: "\r"))
            bytes.append(UInt8(ascii: "\n"))
        }
        bytes += "HTTP/1.1 ".utf8
        bytes += String(head.status.code).utf8
        bytes.append(UInt8(ascii: " "))
        bytes += head.status.reasonPhrase.utf8
        endLine()
        for field in head.headerFields {
            bytes += field.name.rawName.utf8
            bytes.append(UInt8(ascii: ":"))
            bytes.append(UInt8(ascii: " "))
            bytes += field.value.utf8
            endLine()
        }
        endLine()
        reserveCapacity(minimumWritableBytes: bytes.count + body.readableBytes)
        writeBytes(bytes)
        writeImmutableBuffer(body)
    }
}
