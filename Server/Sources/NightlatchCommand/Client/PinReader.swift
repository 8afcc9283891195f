import Foundation
import Nightlatch
import NightlatchProgram

/// Reads one PIN from a descriptor, byte by byte into zeroing memory.
struct PinReader {
    let descriptor: Int32

    func read() throws(CommandFailure) -> Pin {
        let digits = try readLine()
        do {
            return try Pin(digits: digits)
        } catch {
            switch error {
            case .notDigits:
                throw CommandFailure(.usage, "A PIN has only the digits 0 to 9. Nothing was tried.")
            case .length(let allowed):
                throw CommandFailure(
                    .usage,
                    "A PIN has \(allowed.lowerBound) to \(allowed.upperBound) digits. Nothing was tried.")
            }
        }
    }

    /// The maximum length of a line in bytes. The limit stops the command if the input has no end of line.
    private static let longestLine = 4096

    /// Reads up to the end of the line or of the input. Keeps at most one byte more than the longest PIN, which is
    /// enough to detect a PIN that is too long.
    private func readLine() throws(CommandFailure) -> SecretBytes {
        let limit = Pin.lengths.upperBound + 1
        var count = 0
        let line = unsafe try SecretBytes(byteCount: limit) { memory throws(CommandFailure) in
            while let byte = try readByte(), byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
                if count < limit { unsafe memory[count] = byte }
                count += 1
                guard count < Self.longestLine else {
                    throw CommandFailure(
                        .usage, "File descriptor \(descriptor) has no PIN: its line does not end. Nothing was tried.")
                }
            }
        }
        guard count > 0 else { throw CommandFailure(.usage, "There was no PIN to read.") }
        return unsafe line.withUnsafeBytes { unsafe SecretBytes(copying: $0.prefix(count)) }
    }

    private func readByte() throws(CommandFailure) -> UInt8? {
        do {
            return try ByteReader(descriptor: descriptor).next()
        } catch {
            throw CommandFailure(.usage, "The PIN cannot be read from file descriptor \(descriptor): \(error).")
        }
    }
}
