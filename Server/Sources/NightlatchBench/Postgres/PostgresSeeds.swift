import Foundation
import NightlatchWire

/// SQL that fills a database as if many devices had been bound and had logged in.
enum PostgresSeeds {
    private static let month = 30 * 24 * 60 * 60

    /// Returns SQL that creates devices that have logged in, each of a different user.
    ///
    /// The keys of these devices are never read, so all have the key of a load device. Their key ids are as long as
    /// real ones.
    ///
    /// - Parameters:
    ///   - count: The number of devices.
    ///   - areNamed: Whether they have different names and states.
    static func devices(_ count: Int, areNamed: Bool = false) -> String {
        let now = NumericDate(Date()).secondsSince1970
        func thumbprint(_ text: String) -> String {
            "left(translate(encode(sha256((\(text))::bytea), 'base64'), '+/', '-_'), 43)"
        }
        let name = areNamed ? "chr(65 + n % 26) || 'nna’s phone ' || n" : "'Phone'"
        let states = """
            UPDATE device SET blocked_at = \(now), blocked_by = 'operator' WHERE name LIKE '%001';
            UPDATE device SET revoked_at = \(now) WHERE name LIKE '%02';
            """
        return """
            SET search_path TO nightlatch; SET session_replication_role = replica;
            INSERT INTO user_account (id, folded_id, created_at)
            SELECT 'user-' || n, 'user-' || n, \(now - month) FROM generate_series(1, \(count)) AS n;
            INSERT INTO device
            (id, user_id, client_id, key_id, key, possession_key_id, name, folded_name, bound_at, last_login_at)
            SELECT md5('device' || n), 'user-' || n, '\(ClientID.default.rawValue)', \(thumbprint("'key' || n")),
                (SELECT key FROM device LIMIT 1), \(thumbprint("'possession' || n")), \(name), lower(\(name)),
                \(now - month), \(now)
            FROM generate_series(1, \(count)) AS n;
            INSERT INTO refresh_family (id, device_id, possession_key_id, current_hash, expires_at, authenticated_at)
            SELECT decode(md5('family' || n), 'hex'), md5('device' || n), \(thumbprint("'possession' || n")), sha256(n::text::bytea),
                \(now + 24 * 60 * 60) + n % \(month), \(now)
            FROM generate_series(1, \(count)) AS n;
            \(areNamed ? states : "")
            """
    }

    /// Returns SQL that adds a login of each of these devices to the audit log. The entries' hashes are not right.
    static func auditEntries(_ count: Int) -> String {
        let start = NumericDate(Date()).secondsSince1970 - 24 * 60 * 60
        let chain = String(repeating: "A", count: 22)
        return """
            SET search_path TO nightlatch;
            INSERT INTO audit_entry (chain, sequence, at, user_id, body, hash)
            SELECT '\(chain)', n, \(start) + n / 20, 'user-' || n,
                convert_to('{"actor":"device","at":' || (\(start) + n / 20) || ',"chain":"\(chain)","device":"'
                || md5('device' || n) || '","event":"logged_in","sequence":' || n || ',"user":"user-' || n || '"}', 'UTF8'),
                left(translate(encode(sha256(n::text::bytea), 'base64'), '+/', '-_'), 43)
            FROM generate_series(1, \(count)) AS n
            """
    }
}
