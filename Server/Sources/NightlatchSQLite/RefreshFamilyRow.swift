import GRDB
import NightlatchRelyingParty
import NightlatchWire

/// A family of refresh tokens. ``SQLiteStore`` stores it in its device's row, and its possession key is the device's.
struct RefreshFamilyRow {
    let device: DeviceRecord
    var family: RefreshFamily

    /// Reads the family `id`, expired or not; returns nil if there is none. Runs one statement.
    init?(_ id: RefreshFamilyID, in database: Database) throws {
        let devices = id.deviceIDs
        let family = try KeptStatement(Self.select, in: database).first(
            .text(devices.first), .text(devices.last), .blob(id.bytes), read: Self.init)
        guard let family else { return nil }
        self = family
    }

    private init(_ row: KeptRow) throws(RelyingPartyStoreError) {
        device = try DeviceRecord(row)
        family = RefreshFamily(
            device: device.id, user: device.user, client: device.client, possessionKey: device.possessionKey,
            authentication: try Authentication(row, time: 17, verification: 18),
            current: RefreshTokenHash(try row.blob(14)), previous: row.optionalBlob(15).map { RefreshTokenHash($0) },
            expiresAt: try row.date(16))
    }

    private static let select = """
        SELECT \(DeviceRecord.columns), current_hash, previous_hash, family_expires_at, authenticated_at, user_verification
        FROM device WHERE id BETWEEN ? AND ? AND family_id = ?
        """
}

extension Authentication {
    /// Reads the columns of a login, by their indexes.
    init(_ row: KeptRow, time: CInt, verification: CInt) throws(RelyingPartyStoreError) {
        var userVerification: UserVerification?
        if let text = row.optionalText(verification) {
            guard let known = UserVerification(rawValue: text) else { throw RelyingPartyStoreError(.corrupt) }
            userVerification = known
        }
        self.init(time: try row.date(time), userVerification: userVerification)
    }
}
