#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Searches for needles in all memory that this process could have written to, through Linux's `/proc`.
struct MemorySearch {
    private static let chunkByteCount = 1 << 20
    /// Longer than a window, so that none is split between two chunks; a multiple of a word.
    private static let overlap = 16

    private let needles: [MaskedNeedle]
    private let mask: UInt32
    /// A bit for the hash of each masked half of a window. One look-up excludes most words of memory.
    private var halves = [Bool](repeating: false, count: 1 << 16)
    private var windows: [UInt64: [Int]] = [:]

    init(for needles: [MaskedNeedle], mask: UInt32) {
        self.needles = needles
        self.mask = mask
        for (index, needle) in needles.enumerated() {
            for window in needle.windows {
                windows[window, default: []].append(index)
                halves[Self.hash(UInt32(truncatingIfNeeded: window))] = true
                halves[Self.hash(UInt32(truncatingIfNeeded: window >> 32))] = true
            }
        }
    }

    func run() throws -> MemoryFindings {
        let memory = unsafe open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { throw MemorySearchError(errno: errno) }
        defer { close(memory) }
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkByteCount, alignment: 16)
        defer {
            unsafe chunk.initializeMemory(as: UInt8.self, repeating: 0)
            unsafe chunk.deallocate()
        }
        let own = UInt(bitPattern: chunk.baseAddress)
        var findings = MemoryFindings()
        for region in try MemoryRegion.all() where region.mayHoldSecrets {
            var start = region.start
            while start < region.end {
                // The chunk contains copies of memory that was searched before.
                if start >= own, start < own + UInt(chunk.count) {
                    start = own + UInt(chunk.count)
                    continue
                }
                var end = min(region.end, start + UInt(chunk.count))
                if start < own, end > own { end = own }
                let count = unsafe pread(memory, chunk.baseAddress, Int(end - start), off_t(start))
                // A guard page can be listed as readable.
                guard count > 0 else { break }
                unsafe search(UnsafeRawBufferPointer(rebasing: chunk[..<count]), &findings)
                findings.byteCount += count
                start += UInt(count)
                if start < region.end, start != own, count > Self.overlap { start -= UInt(Self.overlap) }
            }
        }
        return findings
    }

    private func search(_ bytes: UnsafeRawBufferPointer, _ findings: inout MemoryFindings) {
        let wideMask = UInt64(mask) << 32 | UInt64(mask)
        let wordCount = bytes.count / 4
        unsafe halves.withUnsafeBufferPointer { halves in
            var word = 0
            while word < wordCount {
                let value = unsafe bytes.load(fromByteOffset: word &* 4, as: UInt32.self) ^ mask
                if unsafe halves[Self.hash(value)] {
                    // Every window in memory contains at least one complete aligned word, and begins at most four bytes
                    // before it.
                    for start in max(0, word &* 4 &- 4)...word &* 4 where start &+ 8 <= bytes.count {
                        let window = unsafe bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self) ^ wideMask
                        for needle in windows[window] ?? [] {
                            findings.note(window, of: needles[needle].name)
                        }
                    }
                }
                word &+= 1
            }
        }
    }

    private static func hash(_ word: UInt32) -> Int { Int((word &* 0x9E37_79B1) >> 16) }
}

/// The error of a system that does not let the process read its own memory.
struct MemorySearchError: Error {
    let errno: Int32
}

/// A line of `/proc/self/maps`.
struct MemoryRegion {
    let start: UInt
    let end: UInt
    let name: String
    private let isReadable: Bool
    private let isWritable: Bool
    private let isFile: Bool

    /// Memory that is mapped from a file and not writable contains only the file's content.
    var mayHoldSecrets: Bool { isReadable && (isWritable || !isFile) && name != "[vvar]" && name != "[vsyscall]" }

    init?(_ line: Substring) {
        let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        guard fields.count >= 5 else { return nil }
        let addresses = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard addresses.count == 2 else { return nil }
        (start, end) = (addresses[0], addresses[1])
        isReadable = fields[1].contains("r")
        isWritable = fields[1].contains("w")
        isFile = fields[4] != "0"
        name = fields.count == 6 ? String(fields[5].drop { $0 == " " }) : "anonymous"
    }

    static func all() throws -> [MemoryRegion] {
        guard let file = unsafe fopen("/proc/self/maps", "r") else { throw MemorySearchError(errno: errno) }
        defer { unsafe fclose(file) }
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe fread(&chunk, 1, chunk.count, file)
            guard count > 0 else { break }
            text += chunk[..<count]
        }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap(MemoryRegion.init)
    }
}
