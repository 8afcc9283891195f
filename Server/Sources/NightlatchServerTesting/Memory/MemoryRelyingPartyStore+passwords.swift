public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func setPassword(
        _ password: StoredPassword, of user: UserID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) {
        noteUser(user)
        passwords[user] = (password, PasswordThrottle())
        codes = codes.filter { $0.value.user != user || $0.value.usedBy != nil }
        append(AuditEvent(.passwordSet, by: actor, user: user))
        _ = endSessions(of: user, by: actor)
    }

    public func chargePasswordAttempt(of user: UserID) async throws(RelyingPartyStoreError) -> StoredPassword? {
        guard var row = passwords[user] else { return nil }
        let isCharged = row.throttle.charge(at: clock.now())
        passwords[user] = row
        return isCharged ? row.password : nil
    }

    public func acceptPassword(
        _ password: StoredPassword,
        raisedTo raised: StoredPassword?,
        of user: UserID
    ) async throws(RelyingPartyStoreError) {
        guard passwords[user]?.password == password else { return }
        passwords[user] = (raised ?? password, PasswordThrottle())
    }
}
