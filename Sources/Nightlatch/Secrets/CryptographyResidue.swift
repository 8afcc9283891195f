internal import CNightlatchZeroing

/// What a cryptographic library leaves in memory: keys on the stack, and in blocks that it has freed without wiping them.
///
/// swift-crypto wipes its own keys, but not all that it makes on the way. Apple's libraries do not need this and are not harmed by it.
package enum CryptographyResidue {
    /// Runs `body`, which uses the library, and overwrites what that has left behind, in blocks of every size. It takes some tenths of a
    /// millisecond.
    package static func wiping<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // A thread keeps a few freed blocks of each size, and gives back to another thread what that one has allocated: there it could not
        // be reached. So there is room for what `body` frees.
        let taken = unsafe nightlatch_take_freed()
        defer {
            nightlatch_zero_stack()
            nightlatch_zero_freed()
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
