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
    /// The name of this server's console in remote logins; nil if nobody can sign in to it with a device.
    private let console: AppName?
    /// The apps read last; nil before the first read.
    ///
    /// A caller that finds them fresh uses them without waiting; the actor only coordinates reading.
    private let copy = Mutex<RegisteredApps?>(nil)
    /// The read in progress and its number. All callers that need a read wait for it.
    private var reading: (number: Int, Task<Result<[StoredApp], RelyingPartyStoreError>, Never>)?
    /// The number of the read that began last.
    private var begunCount = 0
    /// The last failed read, and its time. Callers within the same second get the same error.
    private var failure: (error: RelyingPartyStoreError, at: NumericDate)?

    package init(store: any AppStore, configured: Set<ClientID>, console: AppName? = nil) {
        self.store = store
        self.configured = configured
        self.console = console
    }

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

    /// The name of the app `id` or of the console, as users see it on a device; nil if there is no such app.
    ///
    /// - Throws: ``RelyingPartyStoreError``, as ``app(_:now:)``.
    package nonisolated func name(
        of id: ClientID, now: NumericDate
    ) async throws(RelyingPartyStoreError) -> AppName? {
        if id == .console { return console }
        return try await app(id, now: now)?.name
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
    ///
    /// If the store cannot be read, the old copy stays in use until it is too old.
    package func reload(now: NumericDate) async {
        begunCount += 1
        // Does not share a read in progress, because that one may have begun before the change.
        let number = begunCount
        do {
            _ = keep(try await store.apps(), read: number, now: now)
        } catch {
            return
        }
    }

    /// Reads the apps again, unless another caller has done so since `old` was read.
    private func replace(
        _ old: RegisteredApps?, now: NumericDate
    ) async throws(RelyingPartyStoreError) -> RegisteredApps {
        if let known, known.number != old?.number { return known }
        if let failure, failure.at == now { throw failure.error }
        do throws(RelyingPartyStoreError) {
            let (number, stored) = try await read()
            return keep(stored, read: number, now: now)
        } catch {
            failure = (error, now)
            throw error
        }
    }

    /// Stores the apps of a read as the copy, unless the copy comes from a read that began later. Returns the copy.
    private func keep(_ stored: [StoredApp], read number: Int, now: NumericDate) -> RegisteredApps {
        if let known, known.number >= number { return known }
        let apps = RegisteredApps(stored, configured: configured, readAt: now, number: number)
        copy.withLock { $0 = apps }
        return apps
    }

    private func read() async throws(RelyingPartyStoreError) -> (number: Int, apps: [StoredApp]) {
        if let (number, task) = reading { return (number, try await task.value.get()) }
        begunCount += 1
        let number = begunCount
        // A separate task: if the request that started it is cancelled, others still wait for it.
        let task = Task { [store] in
            do throws(RelyingPartyStoreError) {
                return Result<_, RelyingPartyStoreError>.success(try await store.apps())
            } catch {
                return .failure(error)
            }
        }
        reading = (number, task)
        defer { reading = nil }
        return (number, try await task.value.get())
    }
}
