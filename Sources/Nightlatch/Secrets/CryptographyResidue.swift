internal import CNightlatchZeroing

/// Removes the secrets that a cryptographic library leaves in memory: keys on the stack, and in blocks that it has
/// freed without wiping.
///
/// swift-crypto wipes its own keys, but not all intermediate values. Apple's libraries do not need this; it does them
/// no harm.
package enum CryptographyResidue {
    /// Runs `body`, which uses the library, and then overwrites the library's remains in freed blocks of every size and
    /// on the stack. This takes some tenths of a millisecond.
    package static func wiping<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // A thread keeps a few freed blocks of each size. Blocks beyond these, if another thread allocated them, go
        // back to that thread, where this one cannot reach them. Taking the kept blocks first makes room for those that
        // `body` frees.
        let taken = unsafe nightlatch_take_freed()
        defer {
            nightlatch_zero_stack()
            nightlatch_zero_freed()
            unsafe nightlatch_give_back(taken)
        }
        return try run(body)
    }

    /// A separate call, so that all variables of `body` are below those of the caller on the stack.
    @inline(never)
    private static func run<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body()
    }
}
