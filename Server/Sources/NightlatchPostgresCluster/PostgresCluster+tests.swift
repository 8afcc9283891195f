import Foundation

extension PostgresCluster {
    /// The server that all tests of a process share. It runs without `fsync`, since tests do not cut the machine's
    /// power.
    public static var shared: PostgresCluster {
        get async throws { try await sharedStart.value }
    }

    private static let sharedStart = Task.detached { try await PostgresCluster(settings: ["fsync = off", "ssl = on"]) }

    /// Creates an empty database that belongs to the role `nightlatch`.
    ///
    /// - Returns: The database's name.
    public func createDatabase() async throws -> String {
        let name = Self.newName()
        try await query("CREATE DATABASE \(name) OWNER nightlatch")
        return name
    }

    /// Creates a role that may log in and create schemas.
    ///
    /// - Parameters:
    ///   - password: The role's password for logins over the network.
    ///   - database: The database in which it may create schemas.
    /// - Returns: The role's name.
    public func createRole(password: String, database: String = "postgres") async throws -> String {
        let name = Self.newName()
        try await query(
            "CREATE ROLE \(name) LOGIN PASSWORD '\(password)'; GRANT CREATE ON DATABASE \(database) TO \(name)")
        return name
    }

    /// Simulates a full disk: limits each file to about one mebibyte, and runs `insertion` until it fails. Afterwards,
    /// a few more rows may still fit.
    ///
    /// - Parameters:
    ///   - insertion: A statement that inserts some hundred rows into one table.
    ///   - database: The database.
    public func fillDisk(by insertion: String, database: String = "postgres") async throws {
        try await stop()
        // The limit is not a whole number of pages, so the last page is written only in part.
        try await start(fileSizeLimit: 2052)
        var isFull = false
        while !isFull {
            do {
                try await query(insertion, database: database)
            } catch is Failed {
                isFull = true
            }
        }
    }

    private static func newName() -> String { "test_" + UUID().uuidString.replacing("-", with: "").lowercased() }
}
