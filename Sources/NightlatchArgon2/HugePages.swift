#if os(Linux)
internal import Foundation

extension Argon2id.Memory {
    /// Asks for pages of 2 MiB: blocks are read at random, and with pages of 4 KiB the processor would spend an eighth of the
    /// time on finding them.
    static func preferHugePages(in region: UnsafeMutableRawBufferPointer) {
        // A wish. Without it the key is the same, only later.
        _ = unsafe madvise(region.baseAddress, region.count, Int32(MADV_HUGEPAGE))
    }
}
#else
extension Argon2id.Memory {
    /// Nothing: the system chooses the size of pages.
    static func preferHugePages(in region: UnsafeMutableRawBufferPointer) {}
}
#endif
