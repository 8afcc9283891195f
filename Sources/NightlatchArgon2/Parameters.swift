extension Argon2id {
    /// The cost of a derivation, within the limits of RFC 9106 (section 3.1).
    public struct Parameters: Hashable, Sendable {
        /// The memory `m`, in KiB.
        public let memoryKibibytes: Int
        /// The number of passes over the memory: `t`.
        public let passes: Int
        /// The number of lanes that divide the memory: the parallelism `p`.
        public let lanes: Int

        /// Creates the parameters, or returns nil if Argon2id does not allow them.
        ///
        /// Argon2id allows 1 to 2^24 - 1 lanes, 8 KiB per lane to 2^32 - 1 KiB of memory, and 1 to 2^32 - 1 passes.
        public init?(memoryKibibytes: Int, passes: Int, lanes: Int) {
            guard (1...0xFF_FFFF).contains(lanes), (8 * lanes...0xFFFF_FFFF).contains(memoryKibibytes),
                (1...0xFFFF_FFFF).contains(passes)
            else { return nil }
            self.memoryKibibytes = memoryKibibytes
            self.passes = passes
            self.lanes = lanes
        }

        /// The number of blocks in a quarter of a lane. Remaining memory is not used.
        var segmentLength: Int { memoryKibibytes / (lanes * Matrix.sliceCount) }
    }
}
