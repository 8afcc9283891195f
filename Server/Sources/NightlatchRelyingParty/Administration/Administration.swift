package import NightlatchWire

/// What an operator does about users and their devices: the one way in, for the command line and for the console.
///
/// Each change is one transaction of the store, and stands in the audit log as an operator's. Whoever calls has made sure that an
/// operator asks.
package struct Administration: Sendable {
    let store: any RelyingPartyStore

    /// How many users or entries of the audit log a page holds unless it is told otherwise.
    package static let defaultPageLength = 50
    /// What the length of a page may be.
    package static let pageLengths = 1...500
    /// How many revoked devices, how many transactions that have ended, and how many sessions of journeys are shown of a user.
    package static let endedLimit = 50

    package init(of store: any RelyingPartyStore) {
        self.store = store
    }

    /// Users whose ids begin with `prefix`, in the order of their ids.
    ///
    /// - Parameters:
    ///   - prefix: Nil for all.
    ///   - last: ``AdministrationPage/next`` of the page before; nil for the first.
    ///   - pageLength: How many at most, within ``pageLengths``.
    package func users(
        startingWith prefix: UserID? = nil,
        after last: UserID? = nil,
        pageLength: Int = defaultPageLength
    ) async throws(AdministrationError) -> AdministrationPage<RegisteredUser, UserID> {
        let length = Self.clamped(pageLength)
        let found = try await ask { () async throws(StoreError) in
            try await store.users(startingWith: prefix, after: last, limit: length + 1)
        }
        return AdministrationPage(found, length: length, position: \.id)
    }

    package func user(_ id: UserID) async throws(AdministrationError) -> RegisteredUser {
        guard let user = try await ask({ () async throws(StoreError) in try await store.user(id) }) else {
            throw .userUnknown
        }
        return user
    }

    /// The user's devices, oldest first: all that are not revoked, and the ``endedLimit`` that were revoked last.
    package func devices(of user: UserID) async throws(AdministrationError) -> [RegisteredDevice] {
        _ = try await self.user(user)
        return try await ask { () async throws(StoreError) in
            try await store.devices(
                of: user, activeLimit: ActiveDeviceLimit.range.upperBound, revokedLimit: Self.endedLimit)
        }
    }

    /// The device, barred or not.
    package func device(_ id: DeviceID, of user: UserID) async throws(AdministrationError) -> RegisteredDevice {
        guard let device = try await ask({ () async throws(StoreError) in try await store.device(id, of: user) }) else {
            throw .deviceUnknown
        }
        return device
    }

    /// The user's transactions, oldest first: all that are pending, and the ``endedLimit`` newest of those that have ended.
    package func transactions(of user: UserID) async throws(AdministrationError) -> [RecordedTransaction] {
        _ = try await self.user(user)
        return try await ask { () async throws(StoreError) in
            try await store.transactions(of: user, endedLimit: Self.endedLimit)
        }
    }

    package func transaction(_ id: TransactionID) async throws(AdministrationError) -> RecordedTransaction {
        guard let found = try await ask({ () async throws(StoreError) in try await store.transaction(id) }) else {
            throw .transactionUnknown
        }
        return found
    }

    /// Takes a transaction back that is pending. Again changes nothing.
    ///
    /// - Throws: ``AdministrationError`` `transactionEnded` for one that was decided or has expired.
    package func void(_ id: TransactionID) async throws(AdministrationError) -> RecordedTransaction {
        let outcome = try await ask { () async throws(StoreError) in
            try await store.voidTransaction(id, by: .operator)
        }
        switch outcome {
        case .voided(let transaction): return transaction
        case .noSuchTransaction: throw .transactionUnknown
        case .ended(let state): throw .transactionEnded(state)
        }
    }

    /// Entries of the audit log, newest first, as they stand: whether the log is whole `nightlatch audit verify` says.
    ///
    /// - Parameters:
    ///   - user: Whose, be there such a user or not; nil for everybody's and nobody's.
    ///   - last: ``AdministrationPage/next`` of the page before; nil for the first.
    ///   - pageLength: How many at most, within ``pageLengths``.
    package func auditEntries(
        of user: UserID? = nil,
        before last: AuditPosition? = nil,
        pageLength: Int = defaultPageLength
    ) async throws(AdministrationError) -> AdministrationPage<AuditEntry, AuditPosition> {
        let length = Self.clamped(pageLength)
        let found = try await ask { () async throws(StoreError) in
            try await store.auditEntries(of: user, before: last, limit: length + 1)
        }
        return AdministrationPage(found, length: length) { AuditPosition(of: $0) }
    }

    /// Gives the device another name, be it revoked or not. The same name again changes nothing.
    package func rename(
        _ device: DeviceID,
        of user: UserID,
        to name: DeviceName
    ) async throws(AdministrationError) -> RegisteredDevice {
        try await change(device, of: user, .rename(name))
    }

    /// Bars the device until it is unblocked, and revokes its refresh tokens. Again changes nothing.
    ///
    /// - Throws: ``AdministrationError`` `deviceRevoked` for one that is barred for good.
    package func block(_ device: DeviceID, of user: UserID) async throws(AdministrationError) -> RegisteredDevice {
        let found = try await change(device, of: user, .block)
        guard found.revokedAt == nil else { throw .deviceRevoked }
        return found
    }

    /// Lets the device log in again, whoever has blocked it. Again changes nothing.
    ///
    /// - Throws: ``AdministrationError`` `deviceRevoked` for one that is barred for good.
    package func unblock(_ device: DeviceID, of user: UserID) async throws(AdministrationError) -> RegisteredDevice {
        let found = try await change(device, of: user, .unblock)
        guard found.revokedAt == nil else { throw .deviceRevoked }
        return found
    }

    /// Bars the device for good, and revokes its refresh tokens. Again changes nothing.
    package func revoke(_ device: DeviceID, of user: UserID) async throws(AdministrationError) -> RegisteredDevice {
        try await change(device, of: user, .revoke)
    }

    private func change(
        _ device: DeviceID,
        of user: UserID,
        _ change: DeviceChange
    ) async throws(AdministrationError) -> RegisteredDevice {
        let found = try await ask { () async throws(StoreError) in
            try await store.change(device, of: user, by: .operator, change)
        }
        guard let found else { throw .deviceUnknown }
        return found
    }

    private static func clamped(_ length: Int) -> Int {
        min(max(length, pageLengths.lowerBound), pageLengths.upperBound)
    }

    func ask<Value>(
        _ verb: () async throws(StoreError) -> Value
    ) async throws(AdministrationError) -> Value {
        do {
            return try await verb()
        } catch {
            throw .store(error)
        }
    }
}
