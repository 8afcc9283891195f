/// Where a database lies, as `--database` names it.
enum SQLitePath {
    /// The path of `sqlite:PATH`.
    static func parse(_ database: String) throws(CommandFailure) -> String {
        guard database.hasPrefix("sqlite:"), database.count > "sqlite:".count else {
            throw CommandFailure(.usage, "--database takes sqlite:PATH, not “\(database)”.")
        }
        return String(database.dropFirst("sqlite:".count))
    }
}
