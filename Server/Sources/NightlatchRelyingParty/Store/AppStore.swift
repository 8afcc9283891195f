public import NightlatchWire

/// The registered apps. Each verb is one transaction, as in ``RelyingPartyStore``.
public protocol AppStore: Sendable {
    /// All registered apps, in the byte order of their ids. Writes nothing.
    func apps() async throws(RelyingPartyStoreError) -> [StoredApp]

    /// Registers `app`, or replaces the registered app of its id. A repeated call with the same app changes nothing.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - revision: The ``StoredApp/revision`` that is to be replaced; nil if the id must be new.
    ///   - actor: The party that registers it.
    func putApp(
        _ app: App, replacing revision: Int?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> AppChangeOutcome

    /// Removes an app, its unused authorization codes and its grants. Idempotent.
    ///
    /// Devices that the app has bound stay bound, and can log in again once the id is registered again.
    ///
    /// - Returns: Whether this call removed it.
    func removeApp(_ id: ClientID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> Bool
}

/// The outcome of registering or changing an app. Only `stored` means that the store wrote something.
public enum AppChangeOutcome: Hashable, Sendable {
    case stored(StoredApp)
    /// The id is not new, or the app was changed or removed since it was read. Contains the current record; nil if
    /// there is none.
    case changed(StoredApp?)
    /// There are ``StoredApp/countLimit`` apps already.
    case tooMany

    /// Decides about a call of ``AppStore/putApp(_:replacing:by:)``.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - revision: The revision that is to be replaced.
    ///   - current: The registered app of this id.
    ///   - count: The number of registered apps.
    package init(putting app: App, replacing revision: Int?, current: StoredApp?, count: Int) {
        if let current, current.app == app, current.revision - 1 == revision ?? 0 {
            // The answer of the same call was lost.
            self = .stored(current)
        } else if current?.revision != revision {
            self = .changed(current)
        } else if current == nil && count >= StoredApp.countLimit {
            self = .tooMany
        } else {
            self = .stored(StoredApp(app: app, revision: (current?.revision ?? 0) + 1))
        }
    }
}
