internal import CNightlatchZeroing

/// What a cryptographic library leaves in memory: keys on the stack, and in blocks that it has freed without wiping them.
///
/// swift-crypto wipes its own keys, but not all that it makes on the way. Apple's libraries do not need this and are not harmed by it.
package enum CryptographyResidue {
    /// How large the blocks are in which swift-crypto 4.5 frees keys and what was sealed under them: the data that PBKDF2 and
    /// AES-GCM give, the padded keys of HMAC-SHA256, the states of SHA-256 and SHA-512 with what was hashed last, and the state
    /// of AES-GCM with its key. Each is the most that fits in a block of that size. What has other sizes goes through
    /// ``wipingBlocksOfAnySize(_:)``.
    private static let blockByteCounts = [24, 40, 72, 104, 136, 232, 600]

    /// Runs `body`, which uses the library, and overwrites what that has left behind.
    package static func wiping<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer {
            nightlatch_zero_stack()
            for byteCount in blockByteCounts { nightlatch_zero_freed(byteCount) }
        }
        return try run(body)
    }

    /// As ``wiping(_:)``, for what handles a PIN, or what was made of one, in blocks of sizes that nobody knows: blocks of every size are
    /// overwritten. It costs some tenths of a millisecond more.
    package static func wipingBlocksOfAnySize<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // A thread keeps a few freed blocks of each size, and gives back to another thread what that one has allocated: there it could not
        // be reached. So there is room for what `body` frees.
        let taken = unsafe nightlatch_take_freed()
        defer {
            nightlatch_zero_stack()
            nightlatch_zero_all_freed()
            unsafe nightlatch_give_back(taken)
        }
        return try run(body)
    }

    /// A call of its own, so that all variables of `body` lie below those of the caller.
    @inline(never)
    private static func run<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body()
    }
}
