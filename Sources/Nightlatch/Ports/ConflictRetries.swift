/// Bounds one compare-and-swap loop: counts its conflicts, waits between tries, and gives up with a ``StoreError``.
///
/// A conflict says that another caller wrote first. The loop then reads again, and finds a later revision. A store that refuses a revision
/// and finds the same one again contradicts itself, so that is tried a few times only.
struct ConflictRetries: Sendable {
    /// How often a store may refuse the very revision that it finds.
    static let contradictionLimit = 8
    /// How often other callers may be faster.
    static let limit = 256

    private let stopsWhenCancelled: Bool
    private var count = 0
    private var refusedCount = 0
    private var refused: UInt64?

    /// - Parameter stopsWhenCancelled: False for a loop that writes the verdict on a PIN that was charged: cancelling it must not leave a right
    ///   PIN counted as wrong. A cancelled loop does not wait between tries.
    init(stopsWhenCancelled: Bool = true) {
        self.stopsWhenCancelled = stopsWhenCancelled
    }

    /// Notes that a write was refused, and waits until the next try.
    ///
    /// - Parameter expected: The revision that the store was to replace; nil where it was to find none.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unavailable``, whose ``StoreError/reason`` says why there is no next try.
    mutating func conflict(replacing expected: UInt64?) async throws(StoreError) {
        refusedCount = count > 0 && expected == refused ? refusedCount + 1 : 1
        refused = expected
        guard refusedCount < Self.contradictionLimit else {
            throw StoreError(.unavailable, reason: .contradiction(found: expected))
        }
        try await again()
    }

    /// Waits until the next try, where another caller has changed what the last one was for.
    ///
    /// - Throws: As ``conflict(replacing:)``.
    mutating func again() async throws(StoreError) {
        count += 1
        guard count < Self.limit else { throw StoreError(.unavailable, reason: .overtaken(times: count)) }
        try checkCancellation()
        // Most conflicts are over at once.
        guard count > 1 else { return }
        let longest = 1000 << min(count - 2, 6)
        await ConflictBackoff.wait(.microseconds(Int.random(in: longest / 2...longest)))
        try checkCancellation()
    }

    private func checkCancellation() throws(StoreError) {
        guard stopsWhenCancelled, Task.isCancelled else { return }
        throw StoreError(.unavailable, reason: .cancelled)
    }
}

/// How a compare-and-swap loop waits before it tries again. Tests replace it, so that they do not sleep.
package enum ConflictBackoff {
    /// Returns after the time, or at once if the task is cancelled.
    @TaskLocal package static var wait: @Sendable (Duration) async -> Void = { time in
        do {
            try await Task.sleep(for: time)
        } catch {
            // Cancelled. The loop asks for that itself.
        }
    }
}
