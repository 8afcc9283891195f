// The beginning and the end of a derivation (RFC 9106, sections 3.2 and 3.3).

extension Argon2id.Matrix {
    private static let initialHashByteCount = 64
    private static let seedByteCount = initialHashByteCount + 8

    // The working memory of hashing: BLAKE2b's state, a seed, and a link of the chain.
    private var seed: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: hashing + BLAKE2b.memoryByteCount, count: Self.seedByteCount)
    }
    private var link: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(
            start: hashing + BLAKE2b.memoryByteCount + Self.seedByteCount, count: BLAKE2b.longestOutputByteCount)
    }

    /// Hashes all inputs, and fills the first two columns from the hash.
    func fillFirstColumns(
        password: UnsafeRawBufferPointer,
        salt: UnsafeRawBufferPointer,
        secret: UnsafeRawBufferPointer,
        associatedData: UnsafeRawBufferPointer,
        outputByteCount: Int
    ) {
        var hash = unsafe BLAKE2b(outputByteCount: Self.initialHashByteCount, in: hashing)
        hash.update(UInt32(parameters.lanes))
        hash.update(UInt32(outputByteCount))
        hash.update(UInt32(parameters.memoryKibibytes))
        hash.update(UInt32(parameters.passes))
        hash.update(Argon2id.version)
        hash.update(Argon2id.type)
        unsafe hash.update(withByteCount: password)
        unsafe hash.update(withByteCount: salt)
        unsafe hash.update(withByteCount: secret)
        unsafe hash.update(withByteCount: associatedData)
        unsafe hash.finish(into: seed)
        for lane in 0..<parameters.lanes {
            unsafe seed.storeBytes(of: UInt32(lane).littleEndian, toByteOffset: 68, as: UInt32.self)
            for column in 0..<2 {
                unsafe seed.storeBytes(of: UInt32(column).littleEndian, toByteOffset: 64, as: UInt32.self)
                unsafe digest(UnsafeRawBufferPointer(seed), into: bytes(of: block(lane: lane, column: column)))
            }
        }
    }

    /// Combines the last blocks of all lanes and writes the key.
    func digestLastColumn(into output: UnsafeMutableRawBufferPointer) {
        let sum = unsafe block(lane: 0, column: laneLength - 1)
        for lane in 1..<parameters.lanes {
            let block = unsafe block(lane: lane, column: laneLength - 1)
            for index in 0..<Self.wordsPerBlock { unsafe sum[index] ^= block[index] }
        }
        unsafe digest(UnsafeRawBufferPointer(bytes(of: sum)), into: output)
    }

    /// Computes the hash `H'`, which has an output of any length: the first halves of a chain of hashes, and the whole
    /// of the last hash.
    private func digest(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) {
        let longest = BLAKE2b.longestOutputByteCount
        var hash = unsafe BLAKE2b(outputByteCount: min(output.count, longest), in: hashing)
        hash.update(UInt32(output.count))
        unsafe hash.update(input)
        unsafe hash.finish(into: link)
        var rest = unsafe output[...]
        while unsafe rest.count > longest {
            unsafe rest.prefix(longest / 2).copyBytes(from: link.prefix(longest / 2))
            unsafe rest = rest.dropFirst(longest / 2)
            var next = unsafe BLAKE2b(outputByteCount: min(rest.count, longest), in: hashing)
            unsafe next.update(UnsafeRawBufferPointer(link))
            unsafe next.finish(into: link)
        }
        unsafe rest.copyBytes(from: link.prefix(rest.count))
    }

    private func bytes(of block: Argon2id.Block) -> UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: block, count: Self.blockByteCount)
    }
}

extension BLAKE2b {
    fileprivate mutating func update(withByteCount input: UnsafeRawBufferPointer) {
        update(UInt32(input.count))
        unsafe update(input)
    }
}
