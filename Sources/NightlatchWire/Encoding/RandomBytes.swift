/// Fills `memory` from the system's cryptographically secure generator.
package func fillWithRandomBytes(_ memory: UnsafeMutableRawBufferPointer) {
    var generator = SystemRandomNumberGenerator()
    // The generator calls the system for each number, so the loop uses all eight bytes of it.
    for start in stride(from: 0, to: memory.count, by: 8) {
        unsafe withUnsafeBytes(of: generator.next()) { word in
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<min(start + 8, memory.count)])
            unsafe part.copyMemory(from: UnsafeRawBufferPointer(rebasing: word.prefix(part.count)))
        }
    }
}

/// Returns `count` bytes from the system's cryptographically secure generator.
package func randomBytes(count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
        unsafe fillWithRandomBytes(UnsafeMutableRawBufferPointer(memory))
        filled = count
    }
}
