import Foundation
import Nightlatch

/// Reads one PIN from a descriptor or the terminal, byte by byte into zeroing memory.
struct PinReader {
    /// Nil for the terminal.
    let descriptor: Int32?

    func read(_ question: String) throws -> Pin {
        let digits: SecretBytes
        if let descriptor {
            digits = try readLine(from: descriptor)
        } else {
            let terminal = try SilentTerminal()
            terminal.show(question)
            defer { terminal.show("\n") }
            digits = try readLine(from: terminal.descriptor)
        }
        do {
            return try Pin(digits: digits)
        } catch {
            switch error {
            case .notDigits:
                throw CommandFailure(.usage, "A PIN has the digits 0 to 9 and nothing else. Nothing was tried.")
            case .length(let allowed):
                throw CommandFailure(
                    .usage,
                    "A PIN has \(allowed.lowerBound) to \(allowed.upperBound) digits. Nothing was tried.")
            }
        }
    }

    /// What stands before the next line feed or the end, at most one byte more than a PIN can have.
    private func readLine(from descriptor: Int32) throws -> SecretBytes {
        let limit = Pin.lengths.upperBound + 1
        // Of all that was typed and not deleted, be it more than there is memory for.
        var count = 0
        let line = unsafe try SecretBytes(byteCount: limit) { memory in
            while let byte = try readByte(from: descriptor) {
                switch byte {
                case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return
                case 0x03 where self.descriptor == nil, 0x04 where self.descriptor == nil:
                    throw CommandFailure(.refused, "Cancelled. Nothing was tried.")
                case 0x08, 0x7F: count = max(0, count - 1)
                default:
                    if count < limit { unsafe memory[count] = byte }
                    count += 1
                }
            }
        }
        guard count > 0 else { throw CommandFailure(.usage, "There was no PIN to read.") }
        return unsafe line.withUnsafeBytes { unsafe SecretBytes(copying: $0.prefix(count)) }
    }

    private func readByte(from descriptor: Int32) throws -> UInt8? {
        do {
            return try ByteReader(descriptor: descriptor).next()
        } catch {
            throw CommandFailure(.usage, "The PIN cannot be read from file descriptor \(descriptor): \(error).")
        }
    }
}
