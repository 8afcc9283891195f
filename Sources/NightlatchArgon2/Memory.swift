internal import CNightlatchZeroing
internal import Foundation

extension Argon2id {
    /// The memory of a derivation, had before it begins, so that want of memory shows before anything else is done.
    ///
    /// It is filled with zeros again after each derivation, and given back with the last use of this value.
    @safe
    // Safe to send: the memory belongs to this value alone, and whoever derives has the value to itself.
    public struct Memory: ~Copyable, @unchecked Sendable {
        /// What the memory is for.
        public let parameters: Parameters
        let region: UnsafeMutableRawBufferPointer

        /// Takes as much memory as `parameters` ask for, and 5 KiB more.
        ///
        /// - Throws: ``MemoryUnavailable``; nothing is kept then. Free memory, or take less for a new key.
        public init(for parameters: Parameters) throws(MemoryUnavailable) {
            let byteCount = Matrix.byteCount(for: parameters)
            guard
                let start = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0),
                unsafe start != MAP_FAILED
            else { throw MemoryUnavailable(byteCount: byteCount, status: errno) }
            self.parameters = parameters
            unsafe region = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
            unsafe Self.preferHugePages(in: region)
            // The system promises memory that it may not have. It has to give each page once it is written to.
            for offset in stride(from: 0, to: byteCount, by: Self.shortestPageByteCount) {
                unsafe start.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self)
            }
        }

        deinit {
            unsafe munmap(region.baseAddress.unsafelyUnwrapped, region.count)
        }

        private static let shortestPageByteCount = 4096

        /// Fills the memory with zeros, and what functions that have returned left on the stack.
        func wipe() {
            unsafe nightlatch_zero(region.baseAddress.unsafelyUnwrapped, region.count)
            nightlatch_zero_stack()
        }
    }

    /// The system has not given as much memory as the parameters ask for.
    public struct MemoryUnavailable: Error, Hashable, Sendable {
        /// How much was asked for.
        public let byteCount: Int
        /// The system's `errno`.
        public let status: Int32
    }
}
