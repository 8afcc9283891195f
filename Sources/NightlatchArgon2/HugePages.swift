#if os(Linux)
internal import Foundation

extension Argon2id.Memory {
    /// Asks the system for pages of 2 MiB.
    ///
    /// Blocks are read at random. With pages of 4 KiB the processor would spend an eighth of the time on address
    /// translation.
    static func preferHugePages(in region: UnsafeMutableRawBufferPointer) {
        // The system may ignore this. Then the key is the same, and the derivation takes longer.
        _ = unsafe madvise(region.baseAddress, region.count, Int32(MADV_HUGEPAGE))
    }
}
#else
extension Argon2id.Memory {
    /// Does nothing: the system chooses the size of pages.
    static func preferHugePages(in region: UnsafeMutableRawBufferPointer) {}
}
#endif
