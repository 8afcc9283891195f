public import NightlatchRelyingParty
import NightlatchWire

extension MemoryRelyingPartyStore {
    public func users(
        matching prefix: SearchText?, after position: ListPosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [PlacedRow<UserRecord>] {
        let start = ListPosition.start(of: prefix, position)
        let found = users.keys.map { id in
            PlacedRow(id, place: ListPosition(text: SearchText(id.rawValue), id: id.rawValue))
        }.filter { user in
            start.isBefore(user.place.text, id: user.place.id)
                && prefix.map { user.place.text.folded.utf8.starts(with: $0.folded.utf8) } ?? true
        }
        return found.sorted { $0.place.isBefore($1.place.text, id: $1.place.id) }.prefix(limit).compactMap { user in
            registered(user.row).map { PlacedRow($0, place: user.place) }
        }
    }

    public func devices(
        matching filter: DeviceFilter, after position: ListPosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [PlacedRow<DeviceRecord>] {
        let found = devices.values.filter { device in
            filter.matches(device, isPinUsedUp: pinHardenings[device.id]?.exhaustedAt != nil)
        }.map { device in
            PlacedRow(device, place: ListPosition(text: SearchText(device.name.rawValue), id: device.id.rawValue))
        }
        guard !filter.isOrderedByID else {
            let last = position?.id ?? ""
            return Array(found.filter { $0.place.id > last }.sorted { $0.place.id < $1.place.id }.prefix(limit))
        }
        let start = ListPosition.start(of: filter.name, position)
        let later = found.filter { start.isBefore($0.place.text, id: $0.place.id) }
        return Array(later.sorted { $0.place.isBefore($1.place.text, id: $1.place.id) }.prefix(limit))
    }

    public func transactions(
        matching filter: TransactionFilter, before position: TimePosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [RecordedTransaction] {
        let now = clock.now()
        let start = TimePosition.start(until: filter.until, position)
        let found = transactions.values.map { $0.recorded(at: now) }.filter { transaction in
            filter.user.map { transaction.user == $0 } ?? true
                && filter.state.map { transaction.state == $0 } ?? true
                && start.isBefore(filter.position(of: transaction))
        }
        return Array(found.sorted { filter.position(of: $0).isBefore(filter.position(of: $1)) }.prefix(limit))
    }

    public func waitingRemoteLogins(
        before position: TimePosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [RemoteLogin] {
        let start = TimePosition.start(until: nil, position)
        let waiting = remoteLogins(at: clock.now()).filter {
            $0.state == .pending && start.isBefore(TimePosition(of: $0))
        }
        return Array(waiting.sorted { TimePosition(of: $0).isBefore(TimePosition(of: $1)) }.prefix(limit))
    }

    public func auditEntries(
        matching filter: AuditFilter, before position: AuditPosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [AuditEntry] {
        guard filter.canMatch else { return [] }
        let rows = auditLog.filter { row in filter.user.map { row.user == $0.rawValue } ?? true }
        let entries = rows.compactMap { AuditEntry($0) }.filter { entry in
            filter.kind.map { entry.event.kind == $0 } ?? true
                && filter.problem.map { entry.event.problem == $0 } ?? true
                && position.map { AuditPosition(of: entry) < $0 } ?? filter.until.map { entry.at <= $0 } ?? true
        }
        let searched = entries.sorted { AuditPosition(of: $0) > AuditPosition(of: $1) }
            .prefix(filter.isKindOfUser ? AuditFilter.searchedEntryCount : .max)
        return Array(searched.filter { entry in filter.kind.map { entry.event.kind == $0 } ?? true }.prefix(limit))
    }

    public func count(_ list: CountedList, limit: Int) async throws(RelyingPartyStoreError) -> Int {
        switch list {
        case .users(let prefix): try await users(matching: prefix, after: nil, limit: limit).count
        case .devices(let filter): try await devices(matching: filter, after: nil, limit: limit).count
        case .transactions(let filter): try await transactions(matching: filter, before: nil, limit: limit).count
        case .waitingRemoteLogins: try await waitingRemoteLogins(before: nil, limit: limit).count
        case .auditEntries(let filter): try await auditEntries(matching: filter, before: nil, limit: limit).count
        }
    }

    public func countEvents() async throws(RelyingPartyStoreError) -> Bool {
        let (oldest, now) = (auditLog.map(\.at).min(), clock.now())
        guard let minutes = EventTally.next(after: countedMinute, oldest: oldest, now: now) else { return false }
        let entries = auditLog.compactMap { AuditEntry($0) }
            .filter { minutes.contains(EventTally.minute(of: $0.at)) }
        eventCounts.removeAll {
            $0.minute >= minutes.lowerBound || $0.minute < minutes.upperBound - EventTally.minutesInDay
        }
        for entry in entries where EventTally.kinds.contains(entry.event.kind) && entry.event.kind != .requestsRefused {
            eventCounts.append(EventCount(minute: EventTally.minute(of: entry.at), kind: entry.event.kind, count: 1))
        }
        for (minute, problem, count) in EventTally.refusals(in: entries.filter { $0.event.kind == .requestsRefused }) {
            eventCounts.append(EventCount(minute: minute, kind: .requestsRefused, problem: problem, count: count))
        }
        countedMinute = minutes.upperBound
        return EventTally.next(after: countedMinute, oldest: oldest, now: now) != nil
    }

    public func eventFigures() async throws(RelyingPartyStoreError) -> EventFigures {
        guard let end = countedMinute else { return EventFigures(until: nil, counts: []) }
        let groups = Dictionary(grouping: eventCounts.filter { $0.minute >= end - EventTally.minutesInDay }) {
            EventFigures.Count(kind: $0.kind, problem: $0.problem, lastHour: 0, lastDay: 0)
        }
        let counts = groups.map { group, counts in
            var count = group
            for part in counts {
                count.lastDay += part.count
                if part.minute >= end - EventTally.minutesInHour { count.lastHour += part.count }
            }
            return count
        }
        return EventFigures(until: EventTally.start(of: end), counts: counts)
    }

    public func foldNames() async throws(RelyingPartyStoreError) -> Bool { false }
}

/// The number of events of one minute.
struct EventCount {
    let minute: Int
    let kind: AuditEvent.Kind
    var problem: ProblemCode?
    let count: Int
}
