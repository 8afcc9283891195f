internal import Nightlatch

/// Runs operations on tokens one after the other. Callers that want the same share one operation.
///
/// An operation runs to its end even if its callers are cancelled: the server may already have replaced a refresh
/// token, and the new one must be stored.
final class SharedOperations<Outcome: Sendable>: Sendable {
    enum Kind: Hashable, Sendable {
        /// The number of the login is part of the kind: tokens of one login are not for another.
        case token(login: Int)
        case refresh(login: Int)
        case revocation
    }

    private struct Line: Sendable {
        var count = 0
        var last: (id: Int, kind: Kind, task: Task<Outcome, Never>)?
    }

    private let line = Locked(Line())
    /// Called when a call has joined an operation or started one. A test waits for it.
    private let isQueued: @Sendable () -> Void

    init(isQueued: @escaping @Sendable () -> Void = {}) {
        self.isQueued = isQueued
    }

    /// Joins the newest operation if its kind is `joined`; otherwise starts a new one behind it.
    ///
    /// - Parameter work: Gets the outcome of the operation before it, if that has not ended yet.
    func run(
        _ kind: Kind,
        joining joined: Kind?,
        _ work: @escaping @Sendable (Outcome?) async -> Outcome
    ) async -> Outcome {
        let task = line.withLock { line in
            if let last = line.last, last.kind == joined { return last.task }
            line.count += 1
            let (id, previous) = (line.count, line.last?.task)
            let task = Task {
                let outcome = await work(await previous?.value)
                self.line.withLock { if $0.last?.id == id { $0.last = nil } }
                return outcome
            }
            line.last = (id, kind, task)
            return task
        }
        isQueued()
        return await task.value
    }
}
