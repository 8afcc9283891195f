import Foundation

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
}
