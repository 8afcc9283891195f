import Foundation
import Testing

/// The writable memory of this process, read through the system.
enum ProcessMemory {
    static let canBeRead = FileManager.default.isReadableFile(atPath: "/proc/self/mem")

    /// Whether the system refuses unavailable memory when it is allocated, not only when it is used.
    static let isNotPromisedBlindly: Bool = {
        let setting = try? String(contentsOfFile: "/proc/sys/vm/overcommit_memory", encoding: .utf8)
        return setting.map { !$0.hasPrefix("1") } ?? false
    }()

    static let noMemory: Int32 = ENOMEM

    /// Returns the words that memory contains at an address that is a multiple of eight. The caller gives the words as
    /// their complements.
    static func find(complementsOf complements: [UInt64]) throws -> Set<UInt64> {
        let wanted = Set(complements)
        let file = unsafe open("/proc/self/mem", O_RDONLY)
        try #require(file >= 0)
        defer { close(file) }
        let byteCount = 1 << 20
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)
        defer { unsafe buffer.deallocate() }
        var found: Set<UInt64> = []
        for range in try writableRanges() {
            var address = range.lowerBound
            while address < range.upperBound {
                let count = unsafe pread(file, buffer.baseAddress, min(byteCount, range.upperBound - address), address)
                // The system does not let a process read some ranges.
                guard count > 0 else { break }
                for index in 0..<count / 8 {
                    let complement = unsafe ~buffer.load(fromByteOffset: index * 8, as: UInt64.self)
                    if wanted.contains(complement) { found.insert(complement) }
                }
                address += count
            }
        }
        return found
    }

    private static func writableRanges() throws -> [Range<Int>] {
        try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields[1].hasPrefix("rw") else { return nil }
            let ends = fields[0].split(separator: "-").compactMap { Int($0, radix: 16) }
            return ends.count == 2 ? ends[0]..<ends[1] : nil
        }
    }
}
