/// Bounds a compare-and-swap loop: counts its conflicts, waits between tries, and gives up with a ``StoreError``.
///
/// A conflict means that another caller wrote first. The loop then reads again and finds a later revision. If a store
/// refuses a revision and then finds the same revision again, it contradicts itself; such a conflict is retried only a
/// few times.
struct ConflictRetries: Sendable {
    /// The number of refusals of the same revision in a row after which the loop gives up.
    static let contradictionLimit = 8
    /// The number of conflicts after which the loop gives up.
    static let limit = 256

    private let stopsWhenCancelled: Bool
    private var count = 0
    private var refusedCount = 0
    private var refused: UInt64?

    /// - Parameter stopsWhenCancelled: False for the loop that writes the result of an attempt that was already
    ///   charged. If cancelling stopped it, a right PIN would stay counted as wrong. A cancelled loop does not wait
    ///   between tries.
    init(stopsWhenCancelled: Bool = true) {
        self.stopsWhenCancelled = stopsWhenCancelled
    }

    /// Records that the store refused a write, and waits before the next try.
    ///
    /// - Parameter expected: The revision that the write was to replace; nil if it was to find no record.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unavailable`` if there is no next try; ``StoreError/reason``
    ///   says why.
    mutating func conflict(replacing expected: UInt64?) async throws(StoreError) {
        refusedCount = count > 0 && expected == refused ? refusedCount + 1 : 1
        refused = expected
        guard refusedCount < Self.contradictionLimit else {
            throw StoreError(.unavailable, reason: .contradiction(found: expected))
        }
        try await again()
    }

    /// Waits before the next try, after another caller has changed the record.
    ///
    /// - Throws: The same errors as ``conflict(replacing:)``.
    mutating func again() async throws(StoreError) {
        count += 1
        guard count < Self.limit else { throw StoreError(.unavailable, reason: .overtaken(times: count)) }
        try checkCancellation()
        // Most conflicts end at once, so the first retry does not wait.
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

/// The wait of a compare-and-swap loop before it tries again. Tests replace it, so that they do not sleep.
package enum ConflictBackoff {
    /// Returns after the given time, or at once if the task is cancelled.
    @TaskLocal package static var wait: @Sendable (Duration) async -> Void = { time in
        do {
            try await Task.sleep(for: time)
        } catch {
            // Cancelled. The loop checks for cancellation itself.
        }
    }
}
