/// Lets one task at a time use the store, so that the results of many deliveries never take more than one of the
/// connections that logins use too.
actor StoreTurn {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Calls `body` when no other call runs. Calls take turns in the order in which they began to wait.
    ///
    /// A call waits as long as those before it take. Each of them ends, because the store limits the time of its verbs.
    func use<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        if isTaken {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isTaken = true
        }
        defer {
            if waiting.isEmpty {
                isTaken = false
            } else {
                // The turn passes on: `isTaken` stays.
                waiting.removeFirst().resume()
            }
        }
        return try await body()
    }
}
