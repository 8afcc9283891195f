/// Fills `memory` from the system's cryptographically secure generator.
package func fillWithRandomBytes(_ memory: UnsafeMutableRawBufferPointer) {
    var generator = SystemRandomNumberGenerator()
    for index in memory.indices {
        unsafe memory[index] = .random(in: .min ... .max, using: &generator)
    }
}

/// `count` bytes from the system's cryptographically secure generator.
package func randomBytes(count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
        unsafe fillWithRandomBytes(UnsafeMutableRawBufferPointer(memory))
        filled = count
    }
}
