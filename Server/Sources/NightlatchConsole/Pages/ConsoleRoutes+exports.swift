import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

extension ConsoleRoutes {
    func addExports(to routes: RouteGroup) {
        action(.exportUsers, on: routes) { request throws(ConsoleRefusal) in
            let filter = try UserList(ListFields(request)).filter
            return try await export(
                request, ListExport(
                    list: .users,
                    columns: ["user", "since", "password", "active_devices", "blocked_devices", "revoked_devices"]
                ) { position, length throws(AdministrationError) in
                    try await administration.users(matching: filter, after: position, pageLength: length)
                } cells: { user in
                    [
                        user.id.rawValue, user.createdAt.cell, user.hasPassword ? "set" : "not set",
                        String(user.devices.active), String(user.devices.blocked), String(user.devices.revoked),
                    ]
                })
        }
        action(.exportDevices, on: routes) { request throws(ConsoleRefusal) in
            guard let filter = try DeviceList(ListFields(request)).filter else { throw .refused(.malformedRequest) }
            return try await export(
                request, ListExport(
                    list: .devices,
                    columns: ["device_id", "name", "user", "app", "state", "bound_at", "last_login_at", "stopped_at"]
                ) { position, length throws(AdministrationError) in
                    try await administration.devices(matching: filter, after: position, pageLength: length)
                } cells: { device in
                    [
                        device.id.rawValue, device.name.rawValue, device.user.rawValue, device.client.rawValue,
                        device.stop?.rawValue ?? "active", device.boundAt.cell, device.lastLoginAt?.cell ?? "",
                        (device.revokedAt ?? device.block?.at)?.cell ?? "",
                    ]
                })
        }
        action(.exportTransactions, on: routes) { request throws(ConsoleRefusal) in
            let filter = try TransactionList(ListFields(request)).filter
            return try await export(
                request, ListExport(
                    list: .transactions,
                    columns: [
                        "transaction_id", "user", "payee", "amount", "currency", "state", "created_at", "expires_at",
                        "ended_at", "decided_by",
                    ]
                ) { position, length throws(AdministrationError) in
                    try await administration.transactions(matching: filter, before: position, pageLength: length)
                } cells: { transaction in
                    let details = transaction.details
                    return [
                        transaction.id.rawValue, transaction.user.rawValue, details.payee.rawValue,
                        details.amount.rawValue, details.currency.rawValue, transaction.state.rawValue,
                        transaction.createdAt.cell, details.expiresAt.cell, transaction.endedAt?.cell ?? "",
                        transaction.proof?.device.rawValue ?? "",
                    ]
                })
        }
        action(.exportRemoteLogins, on: routes) { request throws(ConsoleRefusal) in
            try await export(
                request, ListExport(
                    list: .remoteLogins, columns: ["user", "app", "asked_for_by", "requested_at", "expires_at"]
                ) { position, length throws(AdministrationError) in
                    try await administration.waitingRemoteLogins(before: position, pageLength: length)
                } cells: { login in
                    [
                        login.user.rawValue, login.details.client.rawValue, login.originInWords,
                        login.details.requestedAt.cell, login.details.expiresAt.cell,
                    ]
                })
        }
        action(.exportAudit, on: routes) { request throws(ConsoleRefusal) in
            let filter = try AuditList(ListFields(request)).filter
            return try await export(
                request, ListExport(
                    list: .auditEntries,
                    columns: [
                        "at", "chain", "sequence", "event", "by", "user", "device", "transaction", "app", "journey_key",
                        "cause", "count", "members", "claims", "reason", "by_name", "by_key",
                    ]
                ) { position, length throws(AdministrationError) in
                    try await administration.auditEntries(matching: filter, before: position, pageLength: length)
                } cells: { entry in
                    let event = entry.event
                    return [
                        entry.at.cell, entry.chain.rawValue, String(entry.sequence), event.kind.rawValue,
                        event.actor.kind.rawValue, event.shownUser ?? "", event.device?.rawValue ?? "",
                        event.transaction?.rawValue ?? "", event.client?.rawValue ?? "",
                        event.journeyKey?.rawValue ?? "", event.problem?.rawValue ?? "",
                        event.count.map(String.init) ?? "", event.shownMembers ?? "", event.shownClaims ?? "",
                        event.reason?.rawValue ?? "", event.actor.name?.rawValue ?? "",
                        event.actor.key?.rawValue ?? "",
                    ]
                })
        }
    }

    /// Records the export in the audit log, and returns its file.
    private func export<Row: Sendable, Position: Sendable>(
        _ request: ConsoleRequest, _ export: ListExport<Row, Position>
    ) async throws(ConsoleRefusal) -> ActionEnd {
        let administration = administration(of: request)
        try await administer { () async throws(AdministrationError) in
            try await administration.noteExport(of: export.list)
        }
        return .file(export.response())
    }
}

extension NumericDate {
    /// The time as in RFC 3339, for a cell of a file.
    fileprivate var cell: String { ShownTime(self).machineText }
}
