public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func beginExport(
        of user: UserID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> UserRecord? {
        guard let record = registered(user) else { return nil }
        append(AuditEvent(.userExported, by: actor, user: user))
        return record
    }

    public func userData(
        _ kind: UserDataKind, of user: UserID, after place: [UInt8]?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [UserDataEntry] {
        let entries = records(kind, of: user).filter { entry in
            place.map { $0.lexicographicallyPrecedes(entry.place) } ?? true
        }
        return Array(entries.sorted { $0.place.lexicographicallyPrecedes($1.place) }.prefix(limit))
    }

    private func records(_ kind: UserDataKind, of user: UserID) -> [UserDataEntry] {
        let now = clock.now()
        switch kind {
        case .appGrants:
            return grants.grants.values.filter { $0.authorization.user == user }
                .map { UserDataEntry(id: $0.id.rawValue, record: .appGrant($0)) }
        case .devices:
            return devices.values.filter { $0.user == user }.map { device in
                let login = families[device.id]?.family
                return UserDataEntry(
                    id: device.id.rawValue,
                    record: .device(
                        device,
                        login: login.map {
                            DeviceLogin(authentication: $0.authentication, expiresAt: $0.expiresAt)
                        },
                        pin: pinHardenings[device.id]))
            }
        case .enrolmentCodes:
            return codes.filter { $0.value.user == user }.map { mac, code in
                UserDataEntry(
                    place: mac.bytes, record: .enrolmentCode(expiresAt: code.expiresAt, usedBy: code.usedBy?.key))
            }
        case .journeyKeys:
            return journeys.devices(of: user).map { UserDataEntry(id: $0.id.rawValue, record: .journeyKey($0)) }
        case .journeySessions:
            return journeys.sessions.filter { $0.value.user == user }
                .map { UserDataEntry(place: $0.key.bytes, record: .journeySession($0.value)) }
        case .operators:
            return storedOperators[user].map { [UserDataEntry(id: user.rawValue, record: .operatorRole($0))] } ?? []
        case .passwords:
            return passwords[user].map { password, throttle in
                let record = UserDataRecord.password(throttle, imported: password.imported?.form)
                return [UserDataEntry(id: user.rawValue, record: record)]
            } ?? []
        case .remoteLogins:
            return remoteLogins(of: user, at: now)
                .map { UserDataEntry(id: $0.id.rawValue, record: .remoteLogin($0)) }
        case .transactions:
            return transactions.values.filter { $0.user == user }
                .map { UserDataEntry(id: $0.id.rawValue, record: .transaction($0.recorded(at: now))) }
        case .webhookDeliveries:
            return hooks.deliveries.filter { $0.order == user.rawValue }.map { UserDataEntry($0.delivery) }
        }
    }

    public func deleteUser(
        _ user: UserID, by actor: ActingParty, because reason: AuditReason
    ) async throws(RelyingPartyStoreError) -> UserDeletionOutcome {
        guard users[user] != nil else { return .noSuchUser }
        var deletion = UserDeletion()
        deleteRecords(of: user, counting: &deletion)
        for (index, row) in auditLog.enumerated() where row.user == user.rawValue {
            guard row.personal != nil else {
                deletion.namedEntries += 1
                continue
            }
            deletion.erasedEntries += 1
            auditLog[index] = AuditRow(
                place: row.place, body: row.body, hash: row.hash, at: row.at, user: deletion.pseudonym.rawValue)
        }
        hooks.rename(user.rawValue, to: deletion.pseudonym.rawValue)
        append(AuditEvent(deleted: deletion, by: actor, because: reason))
        return .deleted(deletion)
    }

    private func deleteRecords(of user: UserID, counting deletion: inout UserDeletion) {
        let own = Set(devices.values.filter { $0.user == user }.map(\.id))
        deletion.devices = own.count
        deletion.journeyKeys = journeys.devices(of: user).count
        deletion.journeySessions = journeys.sessions.values.count { $0.user == user }
        deletion.appGrants = grants.grants.values.count { $0.authorization.user == user }
        deletion.transactions = transactions.values.count { $0.user == user }
        deletion.remoteLogins = remoteLogins.values.count { $0.user == user }
        codes = codes.filter { $0.value.user != user }
        usedChallenges = usedChallenges.filter { !own.contains($0.value.device) }
        for id in own { (devices[id], families[id], pinHardenings[id]) = (nil, nil, nil) }
        journeys.devices[user] = nil
        journeys.generations[user] = nil
        journeys.sessions = journeys.sessions.filter { $0.value.user != user }
        grants.grants = grants.grants.filter { $0.value.authorization.user != user }
        grants.codes = grants.codes.filter { $0.value.code.authorization.user != user }
        transactions = transactions.filter { $0.value.user != user }
        remoteLogins = remoteLogins.filter { $0.value.user != user }
        storedPolicies[.user(user)] = nil
        storedOperators[user] = nil
        (profiles[user], passwords[user], users[user]) = (nil, nil, nil)
    }
}
