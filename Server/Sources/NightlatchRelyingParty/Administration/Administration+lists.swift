/// The lists of all users, devices, transactions and events, in which operators search. See ``ListingStore``.
extension Administration {
    /// Users whose ids begin with `prefix`, without regard to case.
    package func users(
        matching prefix: SearchText?, after position: ListPosition? = nil, pageLength: Int = defaultPageLength
    ) async throws(AdministrationError) -> AdministrationPage<UserRecord, ListPosition> {
        let length = Self.clamped(pageLength)
        let found = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.users(matching: prefix, after: position, limit: length + 1)
        }
        return AdministrationPage(found, length: length)
    }

    package func devices(
        matching filter: DeviceFilter, after position: ListPosition? = nil, pageLength: Int = defaultPageLength
    ) async throws(AdministrationError) -> AdministrationPage<DeviceRecord, ListPosition> {
        let length = Self.clamped(pageLength)
        let found = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.devices(matching: filter, after: position, limit: length + 1)
        }
        return AdministrationPage(found, length: length)
    }

    package func transactions(
        matching filter: TransactionFilter, before position: TimePosition? = nil,
        pageLength: Int = defaultPageLength
    ) async throws(AdministrationError) -> AdministrationPage<RecordedTransaction, TimePosition> {
        let length = Self.clamped(pageLength)
        let found = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.transactions(matching: filter, before: position, limit: length + 1)
        }
        return AdministrationPage(found, length: length) { filter.position(of: $0) }
    }

    /// The remote logins that wait for a decision.
    package func waitingRemoteLogins(
        before position: TimePosition? = nil, pageLength: Int = defaultPageLength
    ) async throws(AdministrationError) -> AdministrationPage<RemoteLogin, TimePosition> {
        let length = Self.clamped(pageLength)
        let found = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.waitingRemoteLogins(before: position, limit: length + 1)
        }
        return AdministrationPage(found, length: length) { TimePosition(of: $0) }
    }

    /// Entries of the audit log, newest first, without verification.
    package func auditEntries(
        matching filter: AuditFilter, before position: AuditPosition? = nil, pageLength: Int = defaultPageLength
    ) async throws(AdministrationError) -> AdministrationPage<AuditEntry, AuditPosition> {
        let length = Self.clamped(pageLength)
        let found = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.auditEntries(matching: filter, before: position, limit: length + 1)
        }
        return AdministrationPage(found, length: length) { AuditPosition(of: $0) }
    }

    /// Records that the operator exports a list. Call this before the first row is sent.
    package func noteExport(of list: ExportedList) async throws(AdministrationError) {
        try await ask { () async throws(RelyingPartyStoreError) in
            try await store.audit(AuditEvent(exported: list, by: party))
        }
    }

    package func count(_ list: CountedList) async throws(AdministrationError) -> BoundedCount {
        try await BoundedCount(
            counted: ask { () async throws(RelyingPartyStoreError) in
                try await store.count(list, limit: BoundedCount.limit + 1)
            })
    }
}
