extension Argon2id {
    /// A block of 1024 bytes, as 128 words.
    typealias Block = UnsafeMutablePointer<UInt64>

    /// The memory of a derivation: a row of blocks for each lane, in four slices, and after them the working blocks.
    ///
    /// Words are stored in the processor's byte order. On every platform of Swift that is little-endian, as RFC 9106
    /// requires.
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

        /// - Parameter region: The memory: at least ``byteCount(for:)`` bytes, all zero, from the beginning of a page.
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

        // The working blocks, after the matrix.
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
