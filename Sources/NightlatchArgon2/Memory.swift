internal import CNightlatchZeroing
internal import Foundation

extension Argon2id {
    /// The memory of a derivation. It is allocated before the derivation begins, so that a lack of memory shows before
    /// anything else is done.
    ///
    /// It is filled with zeros again after each derivation, and freed when this value is destroyed.
    @safe
    // Safe to send: only this value owns the memory, and a derivation has exclusive access to the value.
    public struct Memory: ~Copyable, @unchecked Sendable {
        /// The parameters that the memory is for.
        public let parameters: Parameters
        let region: UnsafeMutableRawBufferPointer

        /// Allocates as much memory as `parameters` require, and 5 KiB more for working blocks.
        ///
        /// - Throws: ``MemoryUnavailable``; no memory is kept then. Free memory, or use less for a new key.
        public init(for parameters: Parameters) throws(MemoryUnavailable) {
            let byteCount = Matrix.byteCount(for: parameters)
            guard
                let start = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0),
                unsafe start != MAP_FAILED
            else { throw MemoryUnavailable(byteCount: byteCount, status: errno) }
            self.parameters = parameters
            unsafe region = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
            unsafe Self.preferHugePages(in: region)
            // The system may promise more memory than it has. Writing to each page makes the system provide it.
            for offset in stride(from: 0, to: byteCount, by: Self.shortestPageByteCount) {
                unsafe start.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self)
            }
        }

        deinit {
            unsafe munmap(region.baseAddress.unsafelyUnwrapped, region.count)
        }

        private static let shortestPageByteCount = 4096

        /// Overwrites the memory with zeros, and the part of the stack that earlier calls used.
        func wipe() {
            unsafe nightlatch_zero(region.baseAddress.unsafelyUnwrapped, region.count)
            nightlatch_zero_stack()
        }
    }

    /// The system did not provide as much memory as the parameters require.
    public struct MemoryUnavailable: Error, Hashable, Sendable {
        /// The size of the memory that was requested.
        public let byteCount: Int
        /// The system's `errno`.
        public let status: Int32
    }
}
