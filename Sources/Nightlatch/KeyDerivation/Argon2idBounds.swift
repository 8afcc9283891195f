/// The accepted ranges of the parameters of Argon2id.
package struct Argon2idBounds: Hashable, Sendable {
    package let memoryKibibytes: ClosedRange<Int>
    /// The memory that all passes together fill, in KiB.
    package let filledKibibytes: ClosedRange<Int>
    package let lanes: ClosedRange<Int>

    package static let standard = Argon2idBounds(
        memoryKibibytes: 7 * 1024...1024 * 1024, filledKibibytes: 7 * 1024 * 5...16 * 1024 * 1024, lanes: 1...4)

    package init(memoryKibibytes: ClosedRange<Int>, filledKibibytes: ClosedRange<Int>, lanes: ClosedRange<Int>) {
        self.memoryKibibytes = memoryKibibytes
        self.filledKibibytes = filledKibibytes
        self.lanes = lanes
    }

    package func contain(memoryKibibytes: Int, passes: Int, lanes: Int) -> Bool {
        // A number that overflows is beyond any ceiling.
        let (filled, isTooMuch) = memoryKibibytes.multipliedReportingOverflow(by: passes)
        return self.memoryKibibytes.contains(memoryKibibytes) && self.lanes.contains(lanes) && passes >= 1
            && !isTooMuch && filledKibibytes.contains(filled)
    }
}
