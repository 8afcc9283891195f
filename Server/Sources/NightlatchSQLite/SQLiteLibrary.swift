import CNightlatchSQLite

/// Settings of SQLite that are the whole process's.
public enum SQLiteLibrary {
    /// Has SQLite not count the memory that it takes: the count is under one lock of the process, which a login would take some two
    /// hundred times, in turn with the other threads. A program that serves many may call it once, before anything in the process uses
    /// SQLite and while nothing else does; without it all is the same, and slower.
    ///
    /// What then says nothing any more is `sqlite3_memory_used` and its kin, and a limit to SQLite's memory does not hold.
    ///
    /// - Returns: Whether this call has set it. False if SQLite was in use already in this process, which goes on as it was.
    public static func stopCountingMemory() -> Bool {
        nightlatch_sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK
    }
}
