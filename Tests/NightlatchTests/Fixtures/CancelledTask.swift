/// Runs `work` in a task that is cancelled from the start.
func inCancelledTask<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result? {
    try await withThrowingTaskGroup(of: Result.self) { group in
        group.cancelAll()
        group.addTask { try await work() }
        return try await group.next()
    }
}
