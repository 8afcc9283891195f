import Foundation
import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func pinHardening(of device: DeviceID) async throws(RelyingPartyStoreError) -> PinHardening {
        try readOnce { database in try Self.pinHardening(of: device, in: database) }
    }

    public func pinHardening(
        of device: DeviceID, naming key: KeyID
    ) async throws(RelyingPartyStoreError) -> PinHardening? {
        try readOnce { database in
            guard let stored = try Self.storedState(of: device, in: database),
                PinHardening.isKey(key, namedIn: stored)
            else { return nil }
            return try PinHardening(stored: stored)
        }
    }

    public func recordPinStep(
        _ step: PinStep,
        of device: DeviceID,
        user: UserID
    ) async throws(RelyingPartyStoreError) -> PinStepOutcome {
        let (asked, reading) = (clock.now(), observedClock.beginReading())
        return try await write { database in
            // The transaction may have waited for the write lock, so the time is read again. If the clock was set back
            // during that wait, a message, code or guess that had expired at the call stays expired.
            let time = reading.time(max(asked, clock.now()))
            let now = time.now
            guard let device = try Self.device(device, of: user, in: database) else {
                return .refused(.notEntitled, PinHardening())
            }
            let (code, isCodeGood) = try Self.code(of: step, for: device, now: now, in: database)
            var state = try Self.pinHardening(of: device.id, in: database)
            let before = state
            if let key = step.newKey { try Self.masterKeyState(in: database).require(key.masterKey) }
            try step.requireOpenable(in: state)
            let result = state.take(step, of: device, isCodeGood: isCodeGood, at: time)
            if state != before { try Self.write(state, of: device.id, in: database) }
            if result.usesCode, let code {
                try database.execute(
                    sql: "UPDATE enrolment_code SET used_by_key_id = ? WHERE mac = ?",
                    arguments: [device.keyID.rawValue, Data(code.bytes)])
            }
            for event in result.events { try append(event.auditEvent(of: device), at: now, in: database) }
            return result.outcome
        }
    }

    /// Destroys the PIN keys of a device that is revoked or replaced.
    func destroyPinKeys(
        of device: DeviceRecord,
        by actor: ActingParty,
        at now: NumericDate,
        in database: Database
    ) throws {
        guard let stored = try Self.storedState(of: device.id, in: database) else { return }
        try keep(PinDestruction(ofStopped: stored, by: actor, at: now), of: device, at: now, in: database)
    }

    public func destroyDuePinKeys(guessLimit: Int) async throws(RelyingPartyStoreError) {
        try await StoreMetrics.measure { () async throws(RelyingPartyStoreError) in
            let now = observedClock.beginReading().time(clock.now()).now
            var last = ""
            var hasDamaged = false
            // Ends: `last` grows with each iteration, up to the last device of the table.
            while true {
                let exhausted = try exhaustedDevices(at: now, after: last)
                guard let end = exhausted.last?.0.rawValue else { break }
                last = end
                for (id, user) in exhausted {
                    let wasDamaged = try await write(measuredAs: nil) { database in
                        guard let device = try Self.device(id, of: user, in: database),
                            let stored = try Self.storedState(of: id, in: database)
                        else { return false }
                        let destruction = PinDestruction(ofDue: stored, guessLimit: guessLimit, at: now)
                        try keep(destruction, of: device, at: now, in: database)
                        return destruction?.isOfDamaged ?? false
                    }
                    hasDamaged = hasDamaged || wasDamaged
                }
            }
            if hasDamaged { throw RelyingPartyStoreError(.corrupt) }
        }
    }

    /// Returns the next devices, sorted by id, whose last remaining guess was charged longer ago than
    /// `PinHardening.lastGuessLife`, or in the future.
    private func exhaustedDevices(
        at now: NumericDate,
        after last: String
    ) throws(RelyingPartyStoreError) -> [(DeviceID, UserID)] {
        try read(measuredAs: nil) { database in
            // The plus signs keep SQLite from scanning the whole table by its key. Few rows have an `exhausted_at`, and
            // an index contains only those rows.
            try KeptStatement(
                """
                SELECT device.id, device.user_id FROM pin_hardening
                JOIN device ON device.id = pin_hardening.device_id
                WHERE (exhausted_at < ? OR exhausted_at > ?) AND +device_id > ? ORDER BY +device_id LIMIT 500
                """, in: database
            ).all(
                .integer((now + (.zero - PinHardening.lastGuessLife)).secondsSince1970),
                .integer(now.secondsSince1970), .text(last)
            ) { row in
                (try row.identifier(0), try row.identifier(1))
            }
        }
    }

    private func keep(
        _ destruction: PinDestruction?,
        of device: DeviceRecord,
        at now: NumericDate,
        in database: Database
    ) throws {
        guard let destruction else { return }
        try Self.write(destruction.state, of: device.id, in: database)
        if let event = destruction.event { try append(event.auditEvent(of: device), at: now, in: database) }
    }

    static func pinHardening(of device: DeviceID, in database: Database) throws -> PinHardening {
        try storedState(of: device, in: database).map { stored in try PinHardening(stored: stored) } ?? PinHardening()
    }

    /// Returns the stored bytes, valid or not.
    static func storedState(of device: DeviceID, in database: Database) throws -> [UInt8]? {
        try KeptStatement("SELECT state FROM pin_hardening WHERE device_id = ?", in: database)
            .first(.text(device.rawValue)) { row in try row.blob(0) }
    }

    static func write(_ state: PinHardening, of device: DeviceID, in database: Database) throws {
        try KeptStatement(
            """
            INSERT INTO pin_hardening (device_id, state, exhausted_at, sealed_under) VALUES (?, ?, ?, ?)
            ON CONFLICT (device_id) DO UPDATE SET state = excluded.state, exhausted_at = excluded.exhausted_at,
            sealed_under = excluded.sealed_under
            """, in: database
        ).run(
            .text(device.rawValue), .blob(state.stored),
            state.exhaustedAt.map { .integer($0.secondsSince1970) } ?? .null, .text(state.sealedUnder))
    }

    /// Returns the enrolment code of a step, and whether it is an unused code of the device's user.
    private static func code(
        of step: PinStep,
        for device: DeviceRecord,
        now: NumericDate,
        in database: Database
    ) throws -> (EnrolmentCodeMAC?, isGood: Bool) {
        guard case .open(_, let code?) = step.action else { return (nil, false) }
        let found = try Int.fetchOne(
            database,
            sql: """
                SELECT 1 FROM enrolment_code
                WHERE mac = ? AND user_id = ? AND used_by_key_id IS NULL AND expires_at >= ?
                """,
            arguments: [Data(code.bytes), device.user.rawValue, now.secondsSince1970])
        return (code, found != nil)
    }
}
