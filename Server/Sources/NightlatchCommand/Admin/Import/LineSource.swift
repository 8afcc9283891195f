import Foundation

/// The lines of a file or of standard input, read in blocks. The memory does not depend on the length of the input.
struct LineSource: ~Copyable {
    private static let blockLength = 64 * 1024

    private let descriptor: Int32
    private let isOwned: Bool
    private var block = [UInt8](repeating: 0, count: blockLength)
    private var position = 0
    private var end = 0
    /// The number of the last line that was returned, from 1.
    private(set) var number = 0

    /// A line of the input.
    enum Line {
        case bytes([UInt8])
        /// The line is longer than the limit. Its bytes are dropped.
        case tooLong
    }

    /// Opens the file at `path`; a hyphen for standard input.
    init(path: String) throws(SystemError) {
        isOwned = path != "-"
        descriptor = unsafe isOwned ? open(path, O_RDONLY | O_CLOEXEC) : 0
        guard descriptor >= 0 else { throw SystemError(number: errno) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError(number: errno) }
        // The system opens a folder, and only refuses to read it.
        guard status.st_mode & S_IFMT != S_IFDIR else { throw SystemError(number: EISDIR) }
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// Reads the next line, without its line feed; nil at the end of the input.
    ///
    /// - Parameter limit: The longest line, in bytes.
    mutating func next(limit: Int) throws(SystemError) -> Line? {
        var (line, isTooLong, isEmpty): ([UInt8], Bool, Bool) = ([], false, true)
        // Ends: at a line feed or the end of the input, both of which each block brings nearer.
        while true {
            if position == end, try !fill() {
                guard !isEmpty else { return nil }
                break
            }
            isEmpty = false
            let rest = block[position..<end]
            let part = rest.firstIndex(of: UInt8(ascii: "\n")).map { rest[..<$0] } ?? rest
            if line.count + part.count > limit { (line, isTooLong) = ([], true) }
            if !isTooLong { line += part }
            position = part.endIndex
            if position < end {
                position += 1
                break
            }
        }
        number += 1
        return isTooLong ? .tooLong : .bytes(line)
    }

    /// Reads the next block; returns whether there was one.
    private mutating func fill() throws(SystemError) -> Bool {
        // Ends: with bytes or at the end of the input; only a signal repeats the call.
        while true {
            let count = unsafe block.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count < 0 else {
                (position, end) = (0, count)
                return count > 0
            }
            guard errno == EINTR else { throw SystemError(number: errno) }
        }
    }
}
