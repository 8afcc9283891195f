import NIOCore

/// Orders jobs of several callers: client addresses take turns, and every second turn is the backend's if it waits.
///
/// A caller's first job waits for at most one job of each other caller, however many those have.
package struct PasswordQueue<Job> {
    private var ofBackend: CircularBuffer<Job> = []
    private var ofClients: [PasswordHasherPlace.Caller: CircularBuffer<Job>] = [:]
    /// The clients that have jobs, each once, in the order of their turns.
    private var turns: CircularBuffer<PasswordHasherPlace.Caller> = []
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

    /// Removes and returns the job whose turn it is; nil if there is none.
    package mutating func next() -> Job? {
        if !ofBackend.isEmpty, !wasBackendLast || turns.isEmpty {
            wasBackendLast = true
            return ofBackend.removeFirst()
        }
        wasBackendLast = false
        guard let caller = turns.popFirst(), let job = ofClients[caller]?.popFirst() else { return nil }
        if ofClients[caller]?.isEmpty == false {
            turns.append(caller)
        } else {
            ofClients[caller] = nil
        }
        return job
    }
}
