import Foundation
import NightlatchWire

/// Random bytes that nobody can predict.
enum RandomBytes {
    /// How many bytes the system gives in one call ([getentropy(3)](https://man7.org/linux/man-pages/man3/getentropy.3.html)).
    private static let callByteCount = 256

    /// `count` bytes from the system's cryptographically secure generator. A caller that makes a secret of them wipes them.
    static func make(count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
            // As few calls as there can be: the generator of the standard library makes one for each eight bytes.
            while filled < count {
                let end = min(count, filled + callByteCount)
                let part = unsafe UnsafeMutableBufferPointer(rebasing: memory[filled..<end])
                let status = unsafe getentropy(part.baseAddress, part.count)
                precondition(status == 0, "the system has no random bytes")
                filled += part.count
            }
        }
    }

    /// As ``make(count:)``, but the first six tell `time`: four the second, and two what has passed of it by the system's clock, all of
    /// it if that second is over by now. For names of what is stored: what is made at one time then stands together, and a group of
    /// logins writes few pages where each would write some of its own. By another clock than the system's they are in no order within
    /// a second.
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
