public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func setPassword(
        _ password: StoredPassword, of user: UserID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) {
        noteUser(user)
        passwords[user] = (password, PasswordThrottle())
        deleteUnusedCodes(of: user)
        append(AuditEvent(.passwordSet, by: actor, user: user))
        _ = endSessions(of: user, by: actor)
    }

    func deleteUnusedCodes(of user: UserID) {
        codes = codes.filter { $0.value.user != user || $0.value.usedBy != nil }
    }

    public func chargePasswordAttempt(of user: UserID) async throws(RelyingPartyStoreError) -> StoredPassword? {
        guard var row = passwords[user] else { return nil }
        let isCharged = row.throttle.charge(at: clock.now())
        passwords[user] = row
        return isCharged ? row.password : nil
    }

    public func takeBackPasswordAttempt(
        _ password: StoredPassword, of user: UserID
    ) async throws(RelyingPartyStoreError) {
        guard var row = passwords[user], row.password == password else { return }
        row.throttle.takeBack()
        passwords[user] = row
    }

    @discardableResult
    public func acceptPassword(
        _ password: StoredPassword,
        raisedTo raised: StoredPassword?,
        of user: UserID
    ) async throws(RelyingPartyStoreError) -> Bool {
        guard passwords[user]?.password == password else { return false }
        passwords[user] = (raised ?? password, PasswordThrottle())
        return true
    }
}
