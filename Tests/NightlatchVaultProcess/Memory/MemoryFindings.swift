/// The result of a search of memory.
package struct MemoryFindings: Codable, Sendable {
    /// The number of searched bytes.
    package var byteCount = 0
    private var windows: [String: Set<UInt64>] = [:]

    init() {}

    mutating func note(_ window: UInt64, of needle: String) {
        windows[needle, default: []].insert(window)
    }

    /// The number of different windows that were found, for each needle with at least one.
    package var windowCounts: [String: Int] { windows.mapValues(\.count) }
}
