import CPostgres

/// Where a PostgreSQL database is and how to get in: a connection URI as
/// [libpq reads it](https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING), with all that it can say of hosts,
/// TLS, service and password files. What it does not say libpq takes from its `PG…` environment variables.
///
/// It may hold a password, which shows in no description or dump.
public struct PostgresAddress: Sendable {
    /// The URI with all that it holds.
    let uri: String
    /// Whether it holds a password of the user, or of the key for TLS.
    public let holdsPassword: Bool
    /// The parts that anyone may read: user, host, port and name of the database.
    public let description: String

    /// Returns nil unless `uri` is a `postgres://` or `postgresql://` URI that libpq understands.
    public init?(_ uri: String) {
        // A NUL would end the text for libpq alone.
        guard Self.isAddress(uri), !uri.utf8.contains(0) else { return nil }
        guard let options = unsafe PQconninfoParse(uri, nil) else { return nil }
        defer { unsafe PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe values[String(cString: keyword)] = String(cString: value)
            }
            unsafe option += 1
        }
        self.uri = uri
        holdsPassword = values["password"] != nil || values["sslpassword"] != nil
        let host = [values["host"] ?? values["hostaddr"], values["port"]].compactMap(\.self).joined(separator: ":")
        description = "postgres://" + (values["user"].map { $0 + "@" } ?? "") + host + "/" + (values["dbname"] ?? "")
    }

    /// Whether a text means to be such an address.
    public static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }
}

extension PostgresAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}
