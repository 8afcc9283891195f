public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func device(_ id: DeviceID, of user: UserID) async throws(RelyingPartyStoreError) -> DeviceRecord? {
        devices[id].flatMap { $0.user == user ? $0 : nil }
    }

    public func device(withKey key: KeyID, of user: UserID) async throws(RelyingPartyStoreError) -> DeviceRecord? {
        devices.values.first { $0.user == user && $0.keyID == key }
    }

    public func devices(
        of user: UserID,
        activeLimit: Int,
        revokedLimit: Int
    ) async throws(RelyingPartyStoreError) -> [DeviceRecord] {
        let all = devices.values.filter { $0.user == user }
        let active = all.filter { $0.revokedAt == nil }.sorted(by: DeviceRecord.areInOrderOfBinding)
        let revoked = all.filter { $0.revokedAt != nil }
            .sorted { ($0.revokedAt ?? $0.boundAt, $0.id.rawValue) < ($1.revokedAt ?? $1.boundAt, $1.id.rawValue) }
        return (active.suffix(activeLimit) + revoked.suffix(revokedLimit)).sorted(
            by: DeviceRecord.areInOrderOfBinding)
    }

    public func change(
        _ device: DeviceID,
        of user: UserID,
        by actor: ActingParty,
        _ change: DeviceChange
    ) async throws(RelyingPartyStoreError) -> DeviceRecord? {
        guard var found = devices[device], found.user == user else { return nil }
        if let kind = found.apply(change, by: actor, at: clock.now()) {
            devices[device] = found
            append(AuditEvent(kind, by: actor, user: user, device: device))
        }
        if found.stop != nil {
            families[device] = nil
            endSessions(by: JourneyKeyID(device), of: user, keeping: nil)
        }
        if found.revokedAt != nil { destroyPinKeys(of: found, by: actor) }
        return found
    }
}
