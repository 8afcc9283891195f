import Dispatch
package import Nightlatch

/// The time that a call waits for a file's lock that another process or task holds.
///
/// The call polls for the lock. A blocking system call could not be cancelled, and would not return while a suspended
/// process holds the lock.
package struct LockPatience: Sendable {
    private let limit: Duration
    private let limitWhenCancelled: Duration
    private let wait: @Sendable (Duration) async -> Void

    /// - Parameters:
    ///   - limit: The maximum waiting time.
    ///   - limitWhenCancelled: The maximum waiting time in a cancelled task. It is not zero, because even a cancelled
    ///     call must record the result of a PIN attempt.
    ///   - wait: Waits for a duration.
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

    /// Makes a call and repeats it while the lock is held.
    ///
    /// - Throws: The error of the call, at the latest after the maximum waiting time.
    package func run<Value>(_ call: () async throws(StoreError) -> Value) async throws(StoreError) -> Value {
        var waited = Duration.zero
        var longest = 1000
        // Ends: when `waited` reaches the limit.
        while true {
            do {
                return try await call()
            } catch {
                guard case .lockHeld = error.reason, waited < (Task.isCancelled ? limitWhenCancelled : limit) else {
                    throw error
                }
            }
            // The pause is random, so that no waiting process loses every time.
            let pause = Duration.microseconds(Int.random(in: longest / 2...longest))
            await wait(pause)
            waited += pause
            longest = min(longest * 2, 20_000)
        }
    }

    /// Waits without blocking a thread, also in a cancelled task.
    package static let pause: @Sendable (Duration) async -> Void = { time in
        let nanoseconds = Int(time.components.attoseconds / 1_000_000_000)
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { continuation.resume() }
        }
    }
}
