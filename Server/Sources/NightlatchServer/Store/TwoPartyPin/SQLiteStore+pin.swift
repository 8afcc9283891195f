import Foundation
import GRDB
public import NightlatchWire

extension SQLiteStore {
    public func pinHardening(of device: DeviceID) async throws(StoreError) -> PinHardening {
        try readOnce { database in try Self.pinHardening(of: device, in: database) }
    }

    public func recordPinStep(
        _ step: PinStep,
        of device: DeviceID,
        user: UserID
    ) async throws(StoreError) -> PinStepOutcome {
        let now = clock.now()
        return try await write { database in
            guard let device = try Self.device(device, of: user, in: database) else {
                return .refused(.notEntitled, PinHardening())
            }
            let (code, isCodeGood) = try Self.code(of: step, for: device, now: now, in: database)
            var state = try Self.pinHardening(of: device.id, in: database)
            let before = state
            let result = state.take(step, of: device, isCodeGood: isCodeGood, at: now)
            if state != before { try Self.write(state, of: device.id, in: database) }
            if result.usesCode, let code {
                try database.execute(
                    sql: "UPDATE enrolment_code SET used_by_key_id = ? WHERE mac = ?",
                    arguments: [device.key.thumbprint.rawValue, Data(code.bytes)])
            }
            for event in result.events { try append(event.auditEvent(of: device), at: now, in: database) }
            return result.outcome
        }
    }

    /// Destroys the keys of a device that is barred for good.
    func destroyPinKeys(
        of device: RegisteredDevice,
        by actor: AuditEvent.Actor,
        at now: NumericDate,
        in database: Database
    ) throws {
        var state = try Self.pinHardening(of: device.id, in: database)
        guard state.destroy() else { return }
        try Self.write(state, of: device.id, in: database)
        try append(
            PinStepResult.Event(.pinKeysDestroyed).auditEvent(of: device, by: actor), at: now, in: database)
    }

    /// Destroys the keys whose last guess was left unproved for too long, a device at a time.
    func destroyDuePinKeys(at now: NumericDate) async throws(StoreError) {
        let exhausted: [(DeviceID, UserID)] = try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT device.id AS id, device.user_id AS user_id FROM pin_hardening
                    JOIN device ON device.id = pin_hardening.device_id WHERE exhausted_at < ?
                    """,
                arguments: [(now + (.zero - PinHardening.lastGuessLife)).secondsSince1970]
            ).map { row -> (DeviceID, UserID) in (try row.identifier("id"), try row.identifier("user_id")) }
        }
        for (id, user) in exhausted {
            try await write { database in
                var state = try Self.pinHardening(of: id, in: database)
                guard let device = try Self.device(id, of: user, in: database), state.destroyIfDue(at: now) else {
                    return
                }
                try Self.write(state, of: id, in: database)
                try append(
                    PinStepResult.Event(.pinKeysDestroyed).auditEvent(of: device, by: .server), at: now, in: database)
            }
        }
    }

    private static func pinHardening(of device: DeviceID, in database: Database) throws -> PinHardening {
        try KeptStatement("SELECT state FROM pin_hardening WHERE device_id = ?", in: database)
            .first(.text(device.rawValue)) { row in try PinHardening(stored: row.blob(0)) } ?? PinHardening()
    }

    private static func write(_ state: PinHardening, of device: DeviceID, in database: Database) throws {
        try KeptStatement(
            """
            INSERT INTO pin_hardening (device_id, state, exhausted_at) VALUES (?, ?, ?)
            ON CONFLICT (device_id) DO UPDATE SET state = excluded.state, exhausted_at = excluded.exhausted_at
            """, in: database
        ).run(
            .text(device.rawValue), .blob(state.stored),
            state.exhaustedAt.map { .integer($0.secondsSince1970) } ?? .null)
    }

    /// The enrolment code of a step, and whether the device may use it.
    private static func code(
        of step: PinStep,
        for device: RegisteredDevice,
        now: NumericDate,
        in database: Database
    ) throws -> (EnrolmentCodeMAC?, isGood: Bool) {
        guard case .open(_, let code?) = step.action else { return (nil, false) }
        let user = try Self.user(enrolledBy: code, deviceKey: device.key.thumbprint, now: now, in: database)
        return (code, user == device.user)
    }
}
