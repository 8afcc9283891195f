/// The deadline of a ceremony.
package struct UserKeyDeadline: Sendable {
    private let clock: any LockoutClock
    private let end: Duration

    package init(in limit: Duration, by clock: any LockoutClock) {
        self.clock = clock
        end = clock.continuousTime() + limit
    }

    var isOver: Bool { clock.continuousTime() >= end }

    /// The error to throw if there is no result: the time is over, or the caller or the user cancelled.
    var reason: UserKeyError { isOver ? .timedOut : .cancelled }

    func check() throws(UserKeyError) {
        if isOver { throw .timedOut }
        if Task.isCancelled { throw .cancelled }
    }

    /// Returns the result of `work`, or nil if there is none when the time is over or the caller is cancelled.
    ///
    /// If this returns nil, `work` is cancelled but not waited for, and a later result is dropped.
    package func first<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value? {
        let (values, continuation) = AsyncStream<Value>.makeStream()
        let task = Task {
            continuation.yield(await work())
            continuation.finish()
        }
        defer { task.cancel() }
        return await first(of: values, endedBy: continuation)
    }

    /// Returns the first of `values`, or nil if there is none when the time is over or the caller is cancelled.
    package func first<Value: Sendable>(
        of values: AsyncStream<Value>,
        endedBy continuation: AsyncStream<Value>.Continuation
    ) async -> Value? {
        let watch = Task { [clock, end] in
            do {
                try await clock.sleep(until: end)
            } catch {
                return
            }
            continuation.finish()
        }
        defer { watch.cancel() }
        for await value in values { return isOver ? nil : value }
        return nil
    }
}
