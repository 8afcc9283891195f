import HTTPTypes
package import NIOCore

extension ByteBuffer {
    /// Writes an answer in the wire format of HTTP/1.1 ([RFC 9112](https://www.rfc-editor.org/rfc/rfc9112#section-4)).
    ///
    /// Header values are not checked, because `HTTPFields` accepts no line breaks.
    ///
    /// - Parameter answer: The answer. It must have a `Content-Length`, unless its status allows none.
    package mutating func write(_ answer: Answer) {
        // The text is collected in an array first: each write to a `ByteBuffer` checks its capacity, and appending to a
        // `String` checks even more.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        func endLine() {
            bytes.append(UInt8(ascii: "\r"))
            bytes.append(UInt8(ascii: "\n"))
        }
        bytes.append(utf8: "HTTP/1.1 ")
        bytes.append(utf8: String(answer.status.code))
        bytes.append(UInt8(ascii: " "))
        bytes.append(utf8: answer.status.reasonPhrase)
        endLine()
        for field in answer.headers {
            bytes.append(utf8: field.name.rawName)
            bytes.append(UInt8(ascii: ":"))
            bytes.append(UInt8(ascii: " "))
            bytes.append(utf8: field.value)
            endLine()
        }
        bytes.append(utf8: "Date: ")
        bytes.append(utf8: answer.date)
        endLine()
        endLine()
        reserveCapacity(minimumWritableBytes: bytes.count + answer.content.readableBytes)
        writeBytes(bytes)
        writeImmutableBuffer(answer.content)
    }
}
