#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Fills `memory` from the system's cryptographically secure generator.
package func fillWithRandomBytes(_ memory: UnsafeMutableRawBufferPointer) {
    #if canImport(Glibc) || canImport(Musl)
    // The most that the system gives at once, and never less than was asked for.
    let limit = 256
    for start in stride(from: 0, to: memory.count, by: limit) {
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<min(start + limit, memory.count)])
        guard let address = part.baseAddress else { continue }
        let status = unsafe getentropy(address, part.count)
        precondition(status == 0, "the system has no random bytes")
    }
    #else
    var generator = SystemRandomNumberGenerator()
    // The generator asks the system anew for each number, so whole words are taken.
    for start in stride(from: 0, to: memory.count, by: 8) {
        unsafe withUnsafeBytes(of: generator.next()) { word in
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<min(start + 8, memory.count)])
            unsafe part.copyMemory(from: UnsafeRawBufferPointer(rebasing: word.prefix(part.count)))
        }
    }
    #endif
}

/// `count` bytes from the system's cryptographically secure generator.
package func randomBytes(count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
        unsafe fillWithRandomBytes(UnsafeMutableRawBufferPointer(memory))
        filled = count
    }
}
