internal import Nightlatch

/// The session of a journey: in memory after the first use, and in its storage.
final class SessionKeeper: Sendable {
    private enum Memory: Sendable {
        case unread
        case known(JourneySession?)
    }

    private let storage: any Storage<SSOTokenImpl>
    private let memory = Locked(Memory.unread)

    init(storage: any Storage<SSOTokenImpl>) {
        self.storage = storage
    }

    /// Returns the session, or nil if there is none. Throws if the storage cannot be read.
    func current() async throws -> JourneySession? {
        if case .known(let session) = memory.withLock({ $0 }) { return session }
        let stored = try await storage.get()
        return memory.withLock { memory in
            // A journey may have ended while the storage was read.
            if case .known(let session) = memory { return session }
            memory = .known(stored)
            return stored
        }
    }

    /// Keeps a new session. It counts from now on, even if it cannot be stored.
    func keep(_ session: JourneySession) async throws {
        memory.withLock { $0 = .known(session) }
        try await storage.save(item: session)
    }

    /// Removes the session if its token is still `token`; nil removes any session.
    func remove(_ token: String? = nil) async throws {
        let isRemoved = memory.withLock { memory in
            if let token, case .known(let session?) = memory, session.value != token { return false }
            memory = .known(nil)
            return true
        }
        if isRemoved { try await storage.delete() }
    }
}
