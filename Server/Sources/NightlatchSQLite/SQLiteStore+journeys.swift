import Foundation
import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func journeyDevices(of user: UserID) async throws(RelyingPartyStoreError) -> [JourneyDevice] {
        try readOnce { database in
            try KeptStatement(
                "SELECT \(JourneyDevice.columns) FROM journey_device WHERE user_id = ? ORDER BY bound_at, id",
                in: database
            ).all(.text(user.rawValue), read: JourneyDevice.init)
        }
    }

    public func journeyDevice(
        _ id: JourneyKeyID, of user: UserID
    ) async throws(RelyingPartyStoreError) -> JourneyDevice? {
        try readOnce { database in try Self.journeyDevice(id, of: user, in: database) }
    }

    public func isJourneyKeyTaken(
        _ key: KeyID,
        as id: JourneyKeyID,
        of user: UserID
    ) async throws(RelyingPartyStoreError) -> Bool {
        try readOnce { database in try Self.isTaken(key, as: id, of: user, in: database) }
    }

    public func journeyGeneration(of user: UserID) async throws(RelyingPartyStoreError) -> Int {
        try readOnce { database in try Self.journeyGeneration(of: user, in: database) ?? 0 }
    }

    public func renameJourneyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        to name: DeviceName,
        by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> JourneyDevice? {
        return try await write { database, now in
            guard var device = try Self.journeyDevice(id, of: user, in: database) else { return nil }
            guard device.name != name else { return device }
            device.name = name
            try database.execute(
                sql: "UPDATE journey_device SET name = ? WHERE user_id = ? AND id = ?",
                arguments: [name.rawValue, user.rawValue, id.rawValue])
            try append(AuditEvent(renamed: device, by: actor), at: now, in: database)
            return device
        }
    }

    public func removeJourneyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        by actor: ActingParty,
        keeping session: JourneySessionHash?
    ) async throws(RelyingPartyStoreError) -> JourneyDevice? {
        return try await write { database, now in
            guard let device = try Self.forget(id, of: user, keeping: session, in: database) else { return nil }
            try append(AuditEvent(removed: device, by: actor), at: now, in: database)
            return device
        }
    }

    /// Returns the generation of the user's journeys; nil if there is no such user.
    static func journeyGeneration(of user: UserID, in database: Database) throws -> Int? {
        try Int.fetchOne(
            database, sql: "SELECT journey_generation FROM user WHERE id = ?", arguments: [user.rawValue])
    }

    static func stopJourneys(of user: UserID, in database: Database) throws {
        try database.execute(
            sql: "UPDATE user SET journey_generation = journey_generation + 1 WHERE id = ?",
            arguments: [user.rawValue])
    }

    static func isTaken(
        _ key: KeyID,
        as id: JourneyKeyID,
        of user: UserID,
        in database: Database
    ) throws -> Bool {
        try Int.fetchOne(
            database, sql: "SELECT 1 FROM journey_device WHERE key_id = ? AND NOT (user_id = ? AND id = ?)",
            arguments: [key.rawValue, user.rawValue, id.rawValue]) != nil
    }

    /// Deletes a key, ends its sessions except `session`, and stops its user's journeys.
    ///
    /// - Returns: The deleted key, or nil if `user` has no such key.
    static func forget(
        _ id: JourneyKeyID,
        of user: UserID,
        keeping session: JourneySessionHash?,
        in database: Database
    ) throws -> JourneyDevice? {
        guard let device = try journeyDevice(id, of: user, in: database) else { return nil }
        try stopJourneys(of: user, in: database)
        try database.execute(
            sql: "DELETE FROM journey_device WHERE user_id = ? AND id = ?", arguments: [user.rawValue, id.rawValue])
        try endSessions(by: id, of: user, keeping: session, in: database)
        return device
    }

    private static func journeyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        in database: Database
    ) throws -> JourneyDevice? {
        try KeptStatement(
            "SELECT \(JourneyDevice.columns) FROM journey_device WHERE id = ? AND user_id = ?", in: database
        ).first(.text(id.rawValue), .text(user.rawValue), read: JourneyDevice.init)
    }
}

extension JourneyDevice {
    /// The columns for ``init(_:)``, in its order.
    static let columns =
        "id, user_id, application, key, algorithm, machine, name, bound_at, last_access_at, protection"

    init(_ row: KeptRow) throws(RelyingPartyStoreError) {
        guard let algorithm = SignatureAlgorithm(rawValue: try row.text(4)) else {
            throw RelyingPartyStoreError(.corrupt)
        }
        self.init(
            id: try row.identifier(0), user: try row.identifier(1), application: try row.text(2), key: try row.json(3),
            algorithm: algorithm, machine: try row.identifier(5), name: try row.identifier(6),
            boundAt: try row.date(7), lastAccessAt: try row.date(8),
            protection: try row.optionalText(9).map(JourneyKeyProtection.init(stored:)))
    }
}
