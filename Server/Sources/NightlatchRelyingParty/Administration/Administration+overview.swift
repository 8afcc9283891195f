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
    package let newestEntries: [AuditEntry]
}

/// The end of the chain of the audit log that was written to last.
package struct AuditTail: Sendable {
    /// The number of the newest entries of the chain that are checked.
    package static let checkedCount = 100

    package let newest: AuditEntry
    /// The number of the chain's newest entries that were checked.
    package let checkedCount: Int
    /// Whether each of them has the hash that follows from its content and the entry before it.
    package let isIntact: Bool
}

extension Administration {
    /// - Parameter entryCount: The number of newest entries to return.
    package func overview(entryCount: Int) async throws(AdministrationError) -> OperatorOverview {
        let entries = try await auditEntries(pageLength: entryCount).elements
        return OperatorOverview(
            events: try await ask { () async throws(RelyingPartyStoreError) in try await store.eventFigures() },
            pendingTransactions: try await count(.transactions(TransactionFilter(state: .pending))),
            waitingRemoteLogins: try await count(.waitingRemoteLogins),
            blockedDevices: try await count(.devices(DeviceFilter(status: .blocked))),
            usedUpPins: try await count(.devices(DeviceFilter(status: .pinUsedUp))),
            auditTail: try await auditTail(of: entries.first), newestEntries: entries)
    }

    /// Checks the newest entries of the chain that `newest` is in.
    private func auditTail(of newest: AuditEntry?) async throws(AdministrationError) -> AuditTail? {
        guard let newest else { return nil }
        // One row more: the first row only gives the hash that the next one follows.
        let start = newest.sequence - AuditTail.checkedCount - 1
        let rows = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.auditRows(
                after: AuditPlace(chain: newest.chain.rawValue, sequence: max(start, 0)),
                limit: AuditTail.checkedCount + 1)
        }.filter { $0.place.chain == newest.chain.rawValue }
        var previous: AuditHash? = start < 0 ? .start : nil
        var (place, count, isIntact) = (max(start, 0), 0, true)
        for row in rows {
            place += 1
            guard let hash = AuditHash(rawValue: row.hash), row.place.sequence == place else {
                isIntact = false
                break
            }
            if let previous {
                count += 1
                if AuditHash(of: row.body, after: previous) != hash { isIntact = false }
            }
            previous = hash
        }
        // Rows after the newest entry are new: another process has written them since.
        return AuditTail(newest: newest, checkedCount: count, isIntact: isIntact && place >= newest.sequence)
    }
}
