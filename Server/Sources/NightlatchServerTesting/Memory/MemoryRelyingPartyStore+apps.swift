public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func apps() async throws(RelyingPartyStoreError) -> [StoredApp] {
        registeredApps.values.sorted { $0.app.id.rawValue < $1.app.id.rawValue }
    }

    public func putApp(
        _ app: App, replacing revision: Int?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> AppChangeOutcome {
        let current = registeredApps[app.id]
        let outcome = AppChangeOutcome(
            putting: app, replacing: revision, current: current, count: registeredApps.count)
        if case .stored(let new) = outcome, new != current {
            registeredApps[app.id] = new
            append(AuditEvent(put: new, by: actor))
        }
        return outcome
    }

    public func removeApp(_ id: ClientID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> Bool {
        guard registeredApps.removeValue(forKey: id) != nil else { return false }
        grants.codes = grants.codes.filter { $0.value.code.authorization.client != id }
        grants.end { $0.client == id }
        append(AuditEvent(removedApp: id, by: actor))
        return true
    }
}
