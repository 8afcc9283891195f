/// Orders the jobs of several callers: client addresses take turns, and every second turn is the backend's if it has a
/// job.
///
/// A caller's first job waits for at most one job of each other caller, however many jobs they have. The queues are
/// arrays: the cost of moving their elements is negligible compared with hashing a password.
package struct PasswordQueue<Job> {
    private var ofBackend: [Job] = []
    private var ofClients: [PasswordHasherPlace.Caller: [Job]] = [:]
    /// The clients with jobs, each once, in the order of their turns.
    private var turns: [PasswordHasherPlace.Caller] = []
    private var wasBackendLast = false

    package init() {}

    package mutating func add(_ job: Job, of caller: PasswordHasherPlace.Caller) {
        switch caller {
        case .backend: ofBackend.append(job)
        case .client:
            if ofClients[caller] == nil { turns.append(caller) }
            ofClients[caller, default: []].append(job)
        }
    }

    /// Removes and returns the next job; nil if there is none.
    package mutating func next() -> Job? {
        if !ofBackend.isEmpty, !wasBackendLast || turns.isEmpty {
            wasBackendLast = true
            return ofBackend.removeFirst()
        }
        wasBackendLast = false
        guard !turns.isEmpty else { return nil }
        let caller = turns.removeFirst()
        let job = ofClients[caller]?.removeFirst()
        if ofClients[caller]?.isEmpty == false {
            turns.append(caller)
        } else {
            ofClients[caller] = nil
        }
        return job
    }
}
