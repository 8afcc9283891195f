package import NightlatchWire

/// All registered apps at one time.
package struct RegisteredApps: Sendable {
    private let apps: [ClientID: App]
    /// The apps that devices may name as the issuer of their messages.
    package let deviceClients: Set<ClientID>
    /// The time at which the store was read.
    let readAt: NumericDate
    /// The number of the read. A read that began later has a higher number.
    let number: Int

    init(_ stored: [StoredApp], configured: Set<ClientID>, readAt: NumericDate, number: Int) {
        // The console is no app, also if an earlier version registered one with its id.
        let stored = stored.filter { $0.app.id != .console }
        apps = Dictionary(stored.map { ($0.app.id, $0.app) }, uniquingKeysWith: { first, _ in first })
        deviceClients = configured.union(stored.lazy.map(\.app).filter(\.bindsDevices).map(\.id))
        self.readAt = readAt
        self.number = number
    }

    package subscript(id: ClientID) -> App? { apps[id] }

    /// Whether the apps can be used without a read. A clock that was set back does not make old apps fresh.
    func isFresh(_ now: NumericDate) -> Bool { (readAt...(readAt + AppRegistry.copyLife)).contains(now) }
}
