/// Runs `body` `count` times at once and returns the results.
package func inParallel<Value: Sendable>(
    _ count: Int,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
        for _ in 0..<count { group.addTask { try await body() } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}
