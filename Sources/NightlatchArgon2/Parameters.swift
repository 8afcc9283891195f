extension Argon2id {
    /// What a derivation costs, within what RFC 9106 (section 3.1) allows.
    public struct Parameters: Hashable, Sendable {
        /// The memory `m`, in KiB.
        public let memoryKibibytes: Int
        /// How often the memory is gone through: `t`.
        public let passes: Int
        /// Into how many lanes the memory is divided: the parallelism `p`.
        public let lanes: Int

        /// The parameters, or nil if there is no such Argon2id: it takes 1 lane to 2^24 - 1, 8 KiB for each of them up to
        /// 2^32 - 1 KiB, and 1 pass to 2^32 - 1.
        public init?(memoryKibibytes: Int, passes: Int, lanes: Int) {
            guard (1...0xFF_FFFF).contains(lanes), (8 * lanes...0xFFFF_FFFF).contains(memoryKibibytes),
                (1...0xFFFF_FFFF).contains(passes)
            else { return nil }
            self.memoryKibibytes = memoryKibibytes
            self.passes = passes
            self.lanes = lanes
        }

        /// The blocks of a quarter of a lane. What is left over of the memory is not used.
        var segmentLength: Int { memoryKibibytes / (lanes * Matrix.sliceCount) }
    }
}
