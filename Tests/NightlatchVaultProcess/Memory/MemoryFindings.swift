/// What was found in memory.
package struct MemoryFindings: Codable, Sendable {
    /// How much memory was looked through.
    package var byteCount = 0
    private var windows: [String: Set<UInt64>] = [:]

    init() {}

    mutating func note(_ window: UInt64, of needle: String) {
        windows[needle, default: []].insert(window)
    }

    /// How many different windows were found of each needle of which any was.
    package var windowCounts: [String: Int] { windows.mapValues(\.count) }
}
