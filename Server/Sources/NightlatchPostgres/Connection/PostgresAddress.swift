import CPostgres

/// The address of a PostgreSQL database: a connection URI in the
/// [format of libpq](https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING), with all its options
/// for hosts, TLS, service files and password files.
///
/// libpq takes options that the URI does not set from its `PG…` environment variables. The URI may contain a password,
/// which no description or dump shows.
public struct PostgresAddress: Sendable {
    /// The URI, with its secrets.
    let uri: String
    /// Whether the URI contains the password of the user or of the TLS key.
    public let holdsPassword: Bool
    /// The parts without secrets: user, host, port and database name.
    public let description: String

    /// Returns nil unless `uri` is a `postgres://` or `postgresql://` URI that libpq understands.
    public init?(_ uri: String) {
        // libpq would read the text only up to a NUL.
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

    /// Returns whether `text` begins with the scheme of a PostgreSQL URI.
    public static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }
}

extension PostgresAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}
