import Foundation
import NightlatchWire

/// Random bytes that nobody can predict.
enum RandomBytes {
    /// `count` bytes, at most 256, from the system's cryptographically secure generator. Whoever makes a secret of them sees to it
    /// that they do not stay in memory.
    static func make(count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
            if let address = memory.baseAddress {
                // One call for all: the generator of the standard library makes one for each eight bytes.
                let status = unsafe getentropy(address, count)
                precondition(status == 0, "the system has no random bytes")
            }
            filled = count
        }
    }

    /// As ``make(count:)``, but the first four tell the second `time`: for names of what is stored. What is made at one time then
    /// stands together, and a group of logins writes few pages where each would write some of its own.
    static func make(count: Int, at time: NumericDate) -> [UInt8] {
        let second = UInt32(truncatingIfNeeded: time.secondsSince1970)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: second >> $0) } + make(count: count - 4)
    }
}
