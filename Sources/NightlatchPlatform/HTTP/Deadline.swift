/// What `work` brings, or nil if it has brought nothing when `limit` is over or the caller is cancelled. It is cancelled itself then,
/// and must end soon.
func beforeDeadline<Value: Sendable>(
    in limit: Duration,
    _ work: @escaping @Sendable () async -> Value
) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask { await work() }
        group.addTask {
            // It throws only when it is cancelled, which ends the waiting just as well.
            try? await Task.sleep(for: limit)
            return nil
        }
        let first = await group.next()
        group.cancelAll()
        return first ?? nil
    }
}
