import Dispatch

/// Calls that block, made one after the other on a thread of their own: those that all tasks share must never wait for a disk, a chip
/// or a person.
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
