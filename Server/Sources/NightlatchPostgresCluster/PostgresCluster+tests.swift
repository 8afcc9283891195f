import Foundation

extension PostgresCluster {
    /// The server that the tests of a process share. They do not pull the plug of the machine.
    public static var shared: PostgresCluster {
        get async throws { try await sharedStart.value }
    }

    private static let sharedStart = Task.detached { try await PostgresCluster(settings: ["fsync = off", "ssl = on"]) }

    /// Makes an empty database that belongs to the role `nightlatch`.
    ///
    /// - Returns: Its name.
    public func createDatabase() async throws -> String {
        let name = Self.newName()
        try await query("CREATE DATABASE \(name) OWNER nightlatch")
        return name
    }

    /// Makes a role that may log in and make schemas.
    ///
    /// - Parameters:
    ///   - password: What it logs in with over the network.
    ///   - database: Where it may make schemas.
    /// - Returns: Its name.
    public func createRole(password: String, database: String = "postgres") async throws -> String {
        let name = Self.newName()
        try await query(
            "CREATE ROLE \(name) LOGIN PASSWORD '\(password)'; GRANT CREATE ON DATABASE \(database) TO \(name)")
        return name
    }

    /// Lets the disk be full, as far as the server can tell: no file grows beyond a mebibyte, and one is filled until no more rows
    /// fit. Then there is room for a few others at most.
    ///
    /// - Parameters:
    ///   - insertion: Inserts some hundred rows into one table.
    ///   - database: Where.
    public func fillDisk(by insertion: String, database: String = "postgres") async throws {
        try await stop()
        // Not a whole number of pages: the page that does not fit is written in part.
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
