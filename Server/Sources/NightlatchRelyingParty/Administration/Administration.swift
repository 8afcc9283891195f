package import NightlatchWire

/// The changes and queries that an operator makes about users and their devices, for both the command line and the
/// console.
///
/// Each change is one transaction of the store, and the audit log names the operator as its actor, with a reason if the
/// operator gave one. Precondition: the caller has authenticated the operator.
package struct Administration: Sendable {
    let store: any RelyingPartyStore
    /// The party that the audit log names as the actor of each change.
    package let party: ActingParty

    /// The default number of users or audit log entries on a page.
    package static let defaultPageLength = 50
    /// The permitted page lengths. Other lengths are clamped to this range.
    package static let pageLengths = 1...500
    /// The largest number of revoked devices, of ended transactions or of journey sessions that one query returns.
    package static let endedLimit = 50

    /// - Parameters:
    ///   - store: The store.
    ///   - party: The party that acts: an operator at the command line or in the console, or a named one.
    package init(of store: any RelyingPartyStore, by party: ActingParty) {
        self.store = store
        self.party = party
    }

    /// The same verbs, by another party.
    package func acting(as party: ActingParty) -> Self { Self(of: store, by: party) }

    /// The same verbs, with a reason that the audit log gets with each change.
    package func because(_ reason: AuditReason?) -> Self { Self(of: store, by: party.giving(reason)) }

    /// Users whose ids begin with `prefix`, in the order of their ids.
    ///
    /// - Parameters:
    ///   - prefix: Nil for all users.
    ///   - last: ``AdministrationPage/next`` of the previous page; nil for the first page.
    ///   - pageLength: The largest number of users to return, within ``pageLengths``.
    package func users(
        startingWith prefix: UserID? = nil,
        after last: UserID? = nil,
        pageLength: Int = defaultPageLength
    ) async throws(AdministrationError) -> AdministrationPage<UserRecord, UserID> {
        let length = Self.clamped(pageLength)
        let found = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.users(startingWith: prefix, after: last, limit: length + 1)
        }
        return AdministrationPage(found, length: length, position: \.id)
    }

    package func user(_ id: UserID) async throws(AdministrationError) -> UserRecord {
        guard let user = try await ask({ () async throws(RelyingPartyStoreError) in try await store.user(id) }) else {
            throw .userUnknown
        }
        return user
    }

    /// The user's devices, oldest first: all that are not revoked, and the ``endedLimit`` most recently revoked ones.
    package func devices(of user: UserID) async throws(AdministrationError) -> [DeviceRecord] {
        _ = try await self.user(user)
        return try await ask { () async throws(RelyingPartyStoreError) in
            try await store.devices(
                of: user, activeLimit: ActiveDeviceLimit.range.upperBound, revokedLimit: Self.endedLimit)
        }
    }

    /// The device, even if it is blocked or revoked.
    package func device(_ id: DeviceID, of user: UserID) async throws(AdministrationError) -> DeviceRecord {
        let found = try await ask { () async throws(RelyingPartyStoreError) in try await store.device(id, of: user) }
        guard let device = found else { throw .deviceUnknown }
        return device
    }

    /// The user's transactions, oldest first: all pending ones, and the ``endedLimit`` newest of those that have ended.
    package func transactions(of user: UserID) async throws(AdministrationError) -> [RecordedTransaction] {
        _ = try await self.user(user)
        return try await ask { () async throws(RelyingPartyStoreError) in
            try await store.transactions(of: user, endedLimit: Self.endedLimit)
        }
    }

    package func transaction(_ id: TransactionID) async throws(AdministrationError) -> RecordedTransaction {
        guard let found = try await ask({ () async throws(RelyingPartyStoreError) in try await store.transaction(id) })
        else {
            throw .transactionUnknown
        }
        return found
    }

    /// Voids a pending transaction. Idempotent.
    ///
    /// - Throws: ``AdministrationError`` `transactionEnded` if it was decided or has expired.
    package func void(_ id: TransactionID) async throws(AdministrationError) -> RecordedTransaction {
        let outcome = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.voidTransaction(id, by: party)
        }
        switch outcome {
        case .voided(let transaction): return transaction
        case .noSuchTransaction: throw .transactionUnknown
        case .ended(let state): throw .transactionEnded(state)
        }
    }

    /// Entries of the audit log, newest first, without verification: `nightlatch audit verify` checks that the log is
    /// complete.
    ///
    /// - Parameters:
    ///   - user: Only entries about this user, who need not exist; nil for all entries.
    ///   - last: ``AdministrationPage/next`` of the previous page; nil for the first page.
    ///   - pageLength: The largest number of entries to return, within ``pageLengths``.
    package func auditEntries(
        of user: UserID? = nil,
        before last: AuditPosition? = nil,
        pageLength: Int = defaultPageLength
    ) async throws(AdministrationError) -> AdministrationPage<AuditEntry, AuditPosition> {
        let length = Self.clamped(pageLength)
        let found = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.auditEntries(of: user, before: last, limit: length + 1)
        }
        return AdministrationPage(found, length: length) { AuditPosition(of: $0) }
    }

    /// Renames the device, even if it is revoked. Idempotent.
    package func rename(
        _ device: DeviceID,
        of user: UserID,
        to name: DeviceName
    ) async throws(AdministrationError) -> DeviceRecord {
        try await change(device, of: user, .rename(name))
    }

    /// Blocks the device until it is unblocked, and revokes its refresh tokens. Idempotent.
    ///
    /// - Throws: ``AdministrationError`` `deviceRevoked` if it was revoked or replaced.
    package func block(_ device: DeviceID, of user: UserID) async throws(AdministrationError) -> DeviceRecord {
        let found = try await change(device, of: user, .block)
        guard found.revokedAt == nil else { throw .deviceRevoked }
        return found
    }

    /// Unblocks the device, whether a user or an operator blocked it. Idempotent.
    ///
    /// - Throws: ``AdministrationError`` `deviceRevoked` if it was revoked or replaced.
    package func unblock(_ device: DeviceID, of user: UserID) async throws(AdministrationError) -> DeviceRecord {
        let found = try await change(device, of: user, .unblock)
        guard found.revokedAt == nil else { throw .deviceRevoked }
        return found
    }

    /// Revokes the device for good, together with its refresh tokens. Idempotent.
    package func revoke(_ device: DeviceID, of user: UserID) async throws(AdministrationError) -> DeviceRecord {
        try await change(device, of: user, .revoke)
    }

    private func change(
        _ device: DeviceID,
        of user: UserID,
        _ change: DeviceChange
    ) async throws(AdministrationError) -> DeviceRecord {
        let found = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.change(device, of: user, by: party, change)
        }
        guard let found else { throw .deviceUnknown }
        return found
    }

    static func clamped(_ length: Int) -> Int {
        min(max(length, pageLengths.lowerBound), pageLengths.upperBound)
    }

    func ask<Value>(
        _ verb: () async throws(RelyingPartyStoreError) -> Value
    ) async throws(AdministrationError) -> Value {
        do {
            return try await verb()
        } catch {
            throw .store(error)
        }
    }
}
