import Dispatch

/// Runs blocking calls one after the other on a separate thread, so that the threads of Swift's tasks never wait for a
/// disk, a chip or a user.
struct BlockingCalls: Sendable {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    func run<Value: Sendable, Failure: Error>(
        _ call: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result(catching: call)) }
        }
        return try result.get()
    }
}
