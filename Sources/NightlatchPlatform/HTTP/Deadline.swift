/// Returns the result of `work`, or nil if `limit` passes or the caller is cancelled before. In that case, it cancels
/// `work`, which must end soon.
func beforeDeadline<Value: Sendable>(
    in limit: Duration,
    _ work: @escaping @Sendable () async -> Value
) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask { await work() }
        group.addTask {
            // It throws only if it is cancelled, which also ends the waiting.
            try? await Task.sleep(for: limit)
            return nil
        }
        let first = await group.next()
        group.cancelAll()
        return first ?? nil
    }
}
