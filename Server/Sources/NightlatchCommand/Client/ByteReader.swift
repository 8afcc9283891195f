import Foundation

/// Reads a descriptor byte by byte, so that what comes after a line is left for whoever reads next.
struct ByteReader {
    let descriptor: Int32

    /// The next byte, or nil at the end.
    func next() throws(SystemError) -> UInt8? {
        var byte: UInt8 = 0
        // Ends: with a byte or the end of the input; a signal alone repeats the call.
        while true {
            switch unsafe read(descriptor, &byte, 1) {
            case 1: return byte
            case 0: return nil
            default: guard errno == EINTR else { throw SystemError(number: errno) }
            }
        }
    }

    /// What stands before the next line feed or the end; nil for more than `limit` bytes, of which the rest is left unread, and
    /// for what is no UTF-8.
    func line(limit: Int) throws(SystemError) -> String? {
        var bytes: [UInt8] = []
        while let byte = try next(), byte != UInt8(ascii: "\n") {
            guard bytes.count < limit else { return nil }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
