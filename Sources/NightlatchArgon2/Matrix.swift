extension Argon2id {
    /// 1024 bytes, as 128 words.
    typealias Block = UnsafeMutablePointer<UInt64>

    /// The memory of a derivation: a row of blocks for each lane, in four slices, and behind them what is needed on the way.
    ///
    /// Words lie in memory as the processor has them; all that Swift runs on have the least significant byte first, as RFC
    /// 9106 wants it.
    @safe
    struct Matrix {
        static let sliceCount = 4
        static let blockByteCount = 1024
        static let wordsPerBlock = 128
        private static let workingBlockCount = 5

        let parameters: Parameters
        let segmentLength: Int
        let laneLength: Int
        private let blocks: Block

        /// - Parameter region: Zeros, as many as ``byteCount(for:)`` says, from the beginning of a page.
        init(parameters: Parameters, region: UnsafeMutableRawBufferPointer) {
            precondition(region.count >= Self.byteCount(for: parameters))
            self.parameters = parameters
            segmentLength = parameters.segmentLength
            laneLength = segmentLength * Self.sliceCount
            unsafe blocks = region.assumingMemoryBound(to: UInt64.self).baseAddress.unsafelyUnwrapped
        }

        static func byteCount(for parameters: Parameters) -> Int {
            (blockCount(for: parameters) + workingBlockCount) * blockByteCount
        }

        private static func blockCount(for parameters: Parameters) -> Int {
            parameters.segmentLength * sliceCount * parameters.lanes
        }

        func block(lane: Int, column: Int) -> Block {
            unsafe blocks + (lane * laneLength + column) * Self.wordsPerBlock
        }

        // Behind the matrix.
        var working: Block { unsafe workingBlock(0) }
        var zeros: Block { unsafe workingBlock(1) }
        var addressInput: Block { unsafe workingBlock(2) }
        var addresses: Block { unsafe workingBlock(3) }
        var hashing: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(workingBlock(4)) }

        private func workingBlock(_ index: Int) -> Block {
            unsafe block(lane: parameters.lanes, column: index)
        }
    }
}
