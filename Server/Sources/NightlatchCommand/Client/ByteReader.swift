import Foundation

/// Reads a file descriptor byte by byte. It reads nothing after the end of a line, so the next reader gets the rest.
struct ByteReader {
    let descriptor: Int32

    /// Reads the next byte; nil at the end of the input.
    func next() throws(SystemError) -> UInt8? {
        var byte: UInt8 = 0
        // Ends: with a byte or at the end of the input; only a signal repeats the call.
        while true {
            switch unsafe read(descriptor, &byte, 1) {
            case 1: return byte
            case 0: return nil
            default: guard errno == EINTR else { throw SystemError(number: errno) }
            }
        }
    }

    /// Reads up to the next line feed or the end of the input.
    ///
    /// - Returns: The line; nil if it has more than `limit` bytes (the rest is then not read), or is not UTF-8.
    func line(limit: Int) throws(SystemError) -> String? {
        var bytes: [UInt8] = []
        while let byte = try next(), byte != UInt8(ascii: "\n") {
            guard bytes.count < limit else { return nil }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
