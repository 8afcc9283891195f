package import NightlatchWire
import Synchronization

/// The registered apps, as a copy of those in the store.
///
/// The store is read again when the copy is older than ``copyLife``, and for an id that the copy does not have, at most
/// once a second. Another process's change therefore takes effect within seconds. While the store is unavailable, the
/// last copy stays in use.
package actor AppRegistry {
    /// The time for which a copy is used without a read.
    package static let copyLife: Duration = .seconds(5)

    private let store: any AppStore
    /// The apps that the configuration names. Devices may name them even if they are not registered.
    private let configured: Set<ClientID>
    /// The apps read last; nil before the first read.
    ///
    /// A caller that finds them fresh uses them without waiting; the actor only coordinates reading.
    private let copy = Mutex<RegisteredApps?>(nil)
    /// The read in progress, which all callers that need it await.
    private var reading: Task<Result<[StoredApp], RelyingPartyStoreError>, Never>?
    /// The last failed read, and its time. Callers within the same second get the same error.
    private var failure: (error: RelyingPartyStoreError, at: NumericDate)?

    package init(store: any AppStore, configured: Set<ClientID>) {
        self.store = store
        self.configured = configured
    }

    /// The numbers of the reload that began last, and of the last one whose copy was kept.
    private var reloads = (begun: 0, kept: 0)

    private nonisolated var known: RegisteredApps? { copy.withLock { $0 } }

    /// The registered app `id`, or nil if there is none.
    ///
    /// - Throws: ``RelyingPartyStoreError`` if the app is not in the copy and the store could not be read.
    package nonisolated func app(_ id: ClientID, now: NumericDate) async throws(RelyingPartyStoreError) -> App? {
        let apps = try await current(now: now)
        if let app = apps[id] { return app }
        guard now > apps.readAt else { return nil }
        return try await replace(apps, now: now)[id]
    }

    /// The apps that devices may name as the issuer of their messages.
    ///
    /// - Throws: ``RelyingPartyStoreError``, as ``current(now:)``.
    package nonisolated func deviceClients(now: NumericDate) async throws(RelyingPartyStoreError) -> Set<ClientID> {
        try await current(now: now).deviceClients
    }

    /// All apps. If the store is unavailable, these are the apps that were read last.
    ///
    /// - Throws: ``RelyingPartyStoreError`` if the store was never read, or contains damaged apps: a copy that can no
    ///   longer be replaced must not keep a removed app in use.
    package nonisolated func current(now: NumericDate) async throws(RelyingPartyStoreError) -> RegisteredApps {
        let apps = known
        if let apps, apps.isFresh(now) { return apps }
        do {
            return try await replace(apps, now: now)
        } catch {
            guard let apps, error.kind == .unavailable else { throw error }
            return apps
        }
    }

    /// Reads the store after this process has changed an app, so that the process itself uses the change at once.
    package func reload(now: NumericDate) async {
        // Reads by itself: a read in progress may have begun before the change.
        reloads.begun += 1
        let number = reloads.begun
        let stored: [StoredApp]
        do {
            stored = try await store.apps()
        } catch {
            // The copy is soon too old, and is then read again.
            return
        }
        // A reload that began later has seen more.
        guard number > reloads.kept else { return }
        reloads.kept = number
        copy.withLock { copy in
            copy = RegisteredApps(stored, configured: configured, readAt: now, number: (copy?.number ?? 0) + 1)
        }
    }

    /// Reads the apps again, unless another caller has done so since `old` was read.
    private func replace(
        _ old: RegisteredApps?, now: NumericDate
    ) async throws(RelyingPartyStoreError) -> RegisteredApps {
        if let newer = newer(than: old) { return newer }
        if let failure, failure.at == now { throw failure.error }
        let stored: [StoredApp]
        do throws(RelyingPartyStoreError) {
            stored = try await read()
        } catch {
            failure = (error, now)
            throw error
        }
        if let newer = newer(than: old) { return newer }
        let apps = RegisteredApps(stored, configured: configured, readAt: now, number: (old?.number ?? 0) + 1)
        copy.withLock { $0 = apps }
        return apps
    }

    private func newer(than old: RegisteredApps?) -> RegisteredApps? {
        guard let known, known.number != old?.number else { return nil }
        return known
    }

    private func read() async throws(RelyingPartyStoreError) -> [StoredApp] {
        if let reading { return try await reading.value.get() }
        // A separate task: if the request that started it is cancelled, others still wait for it.
        let task = Task { [store] in
            do throws(RelyingPartyStoreError) {
                return Result<_, RelyingPartyStoreError>.success(try await store.apps())
            } catch {
                return .failure(error)
            }
        }
        reading = task
        defer { reading = nil }
        return try await task.value.get()
    }
}
