import Dispatch
package import Nightlatch

/// How long a call waits for a file's lock that another process or task holds.
///
/// The lock is asked for again and again instead of waited for in the system: a call that waits there ends neither by cancelling it nor
/// while a stopped process holds the lock.
package struct LockPatience: Sendable {
    private let limit: Duration
    private let limitWhenCancelled: Duration
    private let wait: @Sendable (Duration) async -> Void

    /// - Parameters:
    ///   - limit: After how much waiting the call is given up.
    ///   - limitWhenCancelled: The same for a call whose task is cancelled. Not zero: the verdict on a PIN is written by a cancelled call too.
    ///   - wait: Returns after the time.
    package init(
        limit: Duration = .seconds(10),
        limitWhenCancelled: Duration = .seconds(1),
        wait: @escaping @Sendable (Duration) async -> Void = Self.pause
    ) {
        self.limit = limit
        self.limitWhenCancelled = limitWhenCancelled
        self.wait = wait
    }

    package static let standard = LockPatience()

    /// Makes a call again for as long as it finds the lock held.
    ///
    /// - Throws: What the call throws; what it threw last once the time is up.
    package func run<Value>(_ call: () async throws(StoreError) -> Value) async throws(StoreError) -> Value {
        var waited = Duration.zero
        var longest = 1000
        // Ends: once `waited` has reached the limit.
        while true {
            do {
                return try await call()
            } catch {
                guard case .lockHeld = error.reason, waited < (Task.isCancelled ? limitWhenCancelled : limit) else {
                    throw error
                }
            }
            // Of several that wait none is to be late each time.
            let pause = Duration.microseconds(Int.random(in: longest / 2...longest))
            await wait(pause)
            waited += pause
            longest = min(longest * 2, 20_000)
        }
    }

    /// Waits without holding a thread, also in a task that is cancelled.
    package static let pause: @Sendable (Duration) async -> Void = { time in
        let nanoseconds = Int(time.components.attoseconds / 1_000_000_000)
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { continuation.resume() }
        }
    }
}
