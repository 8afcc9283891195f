import NightlatchWire

/// The figures that an operator sees first. The work for them is bounded, however large the store is.
package struct OperatorOverview: Sendable {
    /// The counted events of the last hour and the last day.
    package let events: EventFigures
    package let pendingTransactions: BoundedCount
    package let waitingRemoteLogins: BoundedCount
    package let blockedDevices: BoundedCount
    /// The devices with a two-party PIN at which no guess is left.
    package let usedUpPins: BoundedCount
    /// The newest entry of the audit log and the check of its chain; nil if the log is empty.
    package let auditTail: AuditTail?
    /// The newest entries; empty if one of them cannot be read.
    package let newestEntries: [AuditEntry]
}

/// The end of the chain of the audit log that was written to last.
package struct AuditTail: Sendable {
    /// The number of the newest entries of the chain that are checked.
    package static let checkedCount = 100

    /// The newest entry; nil if it or one of the entries shown with it cannot be read.
    package let newest: AuditEntry?
    /// The number of the chain's newest entries that were checked.
    package let checkedCount: Int
    /// Whether each of them has the hash that follows from its content and the entry before it.
    package let isIntact: Bool

    /// The end of a log with an entry that cannot be read.
    fileprivate static let unreadable = AuditTail(newest: nil, checkedCount: 0, isIntact: false)
}

extension Administration {
    /// - Parameter entryCount: The number of newest entries to return.
    package func overview(entryCount: Int) async throws(AdministrationError) -> OperatorOverview {
        let entries = try await newestEntries(entryCount)
        return OperatorOverview(
            events: try await ask { () async throws(RelyingPartyStoreError) in try await store.eventFigures() },
            pendingTransactions: try await count(.transactions(TransactionFilter(state: .pending))),
            waitingRemoteLogins: try await count(.waitingRemoteLogins),
            blockedDevices: try await count(.devices(DeviceFilter(status: .blocked))),
            usedUpPins: try await count(.devices(DeviceFilter(status: .pinUsedUp))),
            auditTail: try await auditTail(of: entries), newestEntries: entries ?? [])
    }

    /// Returns the newest entries of the audit log; nil if one of them cannot be read.
    private func newestEntries(_ count: Int) async throws(AdministrationError) -> [AuditEntry]? {
        do throws(AdministrationError) {
            return try await auditEntries(pageLength: count).elements
        } catch {
            guard case .store(let failure) = error, failure.kind == .corrupt else { throw error }
            return nil
        }
    }

    /// Checks the newest entries of the chain that the first of `entries` is in. Nil means that they cannot be read.
    private func auditTail(of entries: [AuditEntry]?) async throws(AdministrationError) -> AuditTail? {
        guard let entries else { return .unreadable }
        guard let newest = entries.first else { return nil }
        // One row more: the first row only gives the hash that the next one follows.
        let start = max(newest.sequence - AuditTail.checkedCount - 1, 0)
        let rows = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.auditRows(
                after: AuditPlace(chain: newest.chain.rawValue, sequence: start), limit: AuditTail.checkedCount + 1)
        }.filter { $0.place.chain == newest.chain.rawValue }
        var verifier = AuditVerifier(chain: newest.chain, after: start)
        for row in rows { verifier.check(row) }
        // Rows after the newest entry were written meanwhile. If rows at the end are missing, the last one comes before
        // that entry.
        let isWhole = rows.last.map { $0.place.sequence >= newest.sequence } ?? false
        return AuditTail(
            newest: newest, checkedCount: max(0, start == 0 ? rows.count : rows.count - 1),
            isIntact: isWhole && verifier.finish().isEmpty)
    }
}
