import CNightlatchSQLite

/// Settings of SQLite for the whole process.
public enum SQLiteLibrary {
    /// Stops SQLite from counting the memory that it uses.
    ///
    /// One lock for the whole process protects the count, and a login takes it about two hundred times in competition
    /// with other threads. A server may call this once, before any code in the process uses SQLite. Without the call
    /// everything works the same, but slower. After it, `sqlite3_memory_used` and related functions return nothing
    /// useful, and a limit on SQLite's memory has no effect.
    ///
    /// - Returns: Whether this call changed the setting. False if the process was using SQLite already; the setting is
    ///   then unchanged.
    public static func stopCountingMemory() -> Bool {
        nightlatch_sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK
    }
}
