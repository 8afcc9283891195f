import Foundation
import NightlatchWire

/// Unpredictable random bytes.
enum RandomBytes {
    /// The largest number of bytes that one system call returns
    /// ([getentropy(3)](https://man7.org/linux/man-pages/man3/getentropy.3.html)).
    private static let callByteCount = 256

    /// Returns `count` bytes from the system's cryptographically secure generator.
    ///
    /// A caller that uses them as a secret must wipe them.
    static func make(count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
            // As few calls as possible: the standard library's generator makes one call for every eight bytes.
            while filled < count {
                let end = min(count, filled + callByteCount)
                let part = unsafe UnsafeMutableBufferPointer(rebasing: memory[filled..<end])
                let status = unsafe getentropy(part.baseAddress, part.count)
                precondition(status == 0, "the system returned no random bytes")
                filled += part.count
            }
        }
    }

    /// Returns `count` bytes: six for `time`, and the others random.
    ///
    /// The first four bytes are the Unix time in seconds. The next two are the elapsed fraction of that second by the
    /// system clock, or all one bits if that second is over. Ids of rows that are written at the same time are
    /// therefore adjacent, so a group of logins writes to a few database pages, not to a separate page for each login.
    /// If `time` comes from another clock than the system's, the ids have no order within a second.
    static func make(count: Int, at time: NumericDate) -> [UInt8] {
        let second = UInt32(truncatingIfNeeded: time.secondsSince1970)
        let now = Date().timeIntervalSince1970
        let isOver = (1...60).contains(Int(now) - time.secondsSince1970)
        let part: UInt16 =
            isOver ? .max : UInt16(truncatingIfNeeded: Int(now.truncatingRemainder(dividingBy: 1) * 65_536))
        return [
            UInt8(truncatingIfNeeded: second >> 24), UInt8(truncatingIfNeeded: second >> 16),
            UInt8(truncatingIfNeeded: second >> 8), UInt8(truncatingIfNeeded: second),
            UInt8(truncatingIfNeeded: part >> 8), UInt8(truncatingIfNeeded: part),
        ] + make(count: count - 6)
    }
}
