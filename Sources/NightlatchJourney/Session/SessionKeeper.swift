internal import Nightlatch

/// The session of a journey: in memory after the first use, and in its storage.
///
/// Operations of the storage run one after the other. Each writes what the memory contains at that time, so the storage
/// ends with the last change. An operation runs to its end even if its caller is cancelled. After an error it is
/// repeated with the next call.
final class SessionKeeper: Sendable {
    private struct State: Sendable {
        var isRead = false
        var session: JourneySession?
        /// Whether the session is being ended: it is not used, and is not removed yet.
        var isSetAside = false
        /// Counts the logins.
        var login = 0
        /// Counts the changes of `session`.
        var change = 0
        /// The change that the storage contains.
        var stored = 0
        /// Whether the last write of the storage has failed.
        var hasFailed = false

        var current: JourneyLogin { JourneyLogin(number: login, session: isSetAside ? nil : session) }
    }

    private let storage: any Storage<SSOTokenImpl>
    private let logger: (any JourneyLogger)?
    private let state = Locked(State())
    /// The end of the last operation of the storage.
    private let last = Locked<Task<Void, Never>?>(nil)

    init(storage: any Storage<SSOTokenImpl>, logger: (any JourneyLogger)?) {
        self.storage = storage
        self.logger = logger
    }

    /// The number of the login that counts now.
    var login: Int { state.withLock { $0.login } }

    /// Returns the login that counts now. Throws if the storage cannot be read.
    func current() async throws -> JourneyLogin {
        try await read()
        return state.withLock { $0.current }
    }

    /// Keeps a session. It counts from now on, even if it cannot be stored.
    ///
    /// - Parameters:
    ///   - session: The session in the server's answer.
    ///   - sent: The token in the request. If the server returned the same one, and it was removed since, it stays
    ///     removed.
    func keep(_ session: JourneySession, sent: String?) async throws {
        let isKept = state.withLock { state in
            guard session.value != sent || state.current.token == sent else { return false }
            if state.session?.value != session.value { state.login += 1 }
            Self.change(&state, to: session)
            return true
        }
        if isKept { try await write() }
    }

    /// Returns the session and stops its use, until ``putBack(_:)`` or ``remove(_:)``.
    func setAside() async throws -> JourneyLogin {
        try await read()
        return state.withLock { state in
            // A call that ends the same session at the same time may have set it aside.
            state.isSetAside = true
            return JourneyLogin(number: state.login, session: state.session)
        }
    }

    /// Allows the use of the session again, unless another login has replaced it.
    func putBack(_ login: JourneyLogin) {
        state.withLock { if $0.login == login.number { $0.isSetAside = false } }
    }

    /// Removes the session of the login with this number, or any session if it is nil. It does not count from now on,
    /// even if it cannot be deleted from the storage.
    func remove(_ login: Int? = nil) async throws {
        let isRemoved = state.withLock { state in
            guard login == nil || login == state.login else { return false }
            Self.change(&state, to: nil)
            return true
        }
        if isRemoved { try await write() }
    }

    private static func change(_ state: inout State, to session: JourneySession?) {
        state.isRead = true
        state.isSetAside = false
        state.session = session
        state.change += 1
    }

    private func read() async throws {
        let (isRead, hasFailed) = state.withLock { ($0.isRead, $0.hasFailed) }
        if hasFailed {
            do {
                try await write()
            } catch {
                logger?.w("the storage of the session can still not be written", error: error)
            }
        }
        guard !isRead else { return }
        do {
            try await inOrder { keeper in
                guard !keeper.state.withLock({ $0.isRead }) else { return }
                let session = try await keeper.storage.undamaged { error in
                    keeper.logger?.e("the stored session is damaged", error: error)
                }
                keeper.state.withLock { state in
                    // A journey may have ended while the storage was read.
                    guard !state.isRead else { return }
                    state.isRead = true
                    state.session = session
                }
            }
        } catch {
            guard state.withLock({ $0.isRead }) else { throw error }
        }
    }

    /// Makes the storage contain what the memory contains.
    private func write() async throws {
        try await inOrder { keeper in
            let (session, change, stored) = keeper.state.withLock { ($0.session, $0.change, $0.stored) }
            guard stored != change else { return }
            do {
                try await keeper.store(session)
            } catch {
                keeper.state.withLock { $0.hasFailed = true }
                throw error
            }
            keeper.state.withLock { state in
                state.stored = change
                state.hasFailed = false
            }
        }
    }

    private func store(_ session: JourneySession?) async throws {
        guard let session else { return try await storage.delete() }
        do {
            try await storage.save(item: session)
        } catch {
            // Otherwise the session of an earlier login would count after a restart.
            do {
                try await storage.delete()
            } catch {
                logger?.w("the session of the earlier login could not be deleted", error: error)
            }
            throw error
        }
    }

    private func inOrder(_ work: @escaping @Sendable (SessionKeeper) async throws -> Void) async throws {
        let task = last.withLock { last in
            let earlier = last
            let task = Task {
                await earlier?.value
                try await work(self)
            }
            last = Task { _ = await task.result }
            return task
        }
        try await task.value
    }
}
