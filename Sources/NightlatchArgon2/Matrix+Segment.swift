internal import CNightlatchArgon2

extension Argon2id.Matrix {
    /// Fills the blocks of a quarter of a lane (RFC 9106, section 3.4).
    ///
    /// Each block is computed from the block before it and a randomly chosen one. In the first half of the first pass
    /// the choice depends on the position alone, so memory accesses reveal nothing about the password. After that it
    /// depends on the computed data.
    @inline(never)  // Its stack data must be below the frame of the caller that wipes the stack.
    func fillSegment(pass: Int, slice: Int, lane: Int) {
        let first = pass == 0 && slice == 0 ? 2 : 0
        let isDataIndependent = pass == 0 && slice < Self.sliceCount / 2
        var column = slice * segmentLength + first
        var previous = unsafe block(lane: lane, column: column == 0 ? laneLength - 1 : column - 1)
        var target = unsafe block(lane: lane, column: column)
        if isDataIndependent { beginAddresses(pass: pass, slice: slice, lane: lane) }
        for index in first..<segmentLength {
            let random: UInt64
            if isDataIndependent {
                if index == first || index.isMultiple(of: 128) { nextAddresses() }
                random = unsafe addresses[index % 128]
            } else {
                random = unsafe previous[0]
            }
            let reference = unsafe reference(random, pass: pass, slice: slice, lane: lane, index: index)
            unsafe nightlatch_argon2_compress(previous, reference, target, pass > 0, working)
            unsafe previous = target
            unsafe target += Self.wordsPerBlock
            column += 1
        }
    }

    /// Returns the block that `random` chooses for the block at `index` of a segment. Near blocks are more likely than
    /// far ones.
    @inline(__always)
    private func reference(_ random: UInt64, pass: Int, slice: Int, lane: Int, index: Int) -> Argon2id.Block {
        let isFirstSlice = pass == 0 && slice == 0
        let chosenLane = isFirstSlice || parameters.lanes == 1 ? lane : Int(random >> 32) % parameters.lanes
        // Only finished blocks can be chosen: those of the other three segments, or in the first pass those of the
        // segments before this one. In the same lane, the finished blocks of this segment can be chosen too.
        let finished = pass == 0 ? slice * segmentLength : laneLength - segmentLength
        let count = chosenLane == lane ? finished + index - 1 : finished - (index == 0 ? 1 : 0)
        let low = random & 0xFFFF_FFFF
        let distance = (UInt64(truncatingIfNeeded: count) &* ((low &* low) >> 32)) >> 32
        let start = pass == 0 || slice == Self.sliceCount - 1 ? 0 : (slice + 1) * segmentLength
        var column = start + count - 1 - Int(truncatingIfNeeded: distance)
        if column >= laneLength { column -= laneLength }
        return unsafe block(lane: chosenLane, column: column)
    }

    private func beginAddresses(pass: Int, slice: Int, lane: Int) {
        let values = [
            pass, lane, slice, laneLength * parameters.lanes, parameters.passes, Int(Argon2id.type), 0,
        ]
        for (index, value) in values.enumerated() { unsafe addressInput[index] = UInt64(value) }
    }

    /// Computes 128 random words for the addresses, from a counter.
    private func nextAddresses() {
        unsafe addressInput[6] += 1
        unsafe nightlatch_argon2_compress(zeros, addressInput, addresses, false, working)
        unsafe nightlatch_argon2_compress(zeros, addresses, addresses, false, working)
    }
}
