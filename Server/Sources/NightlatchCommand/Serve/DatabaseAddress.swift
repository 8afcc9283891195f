import Logging
import NightlatchPostgres
import NightlatchRelyingParty
import NightlatchSQLite

/// Where a relying party keeps what it remembers, as `--database` names it: a SQLite file or a PostgreSQL database.
enum DatabaseAddress {
    case sqlite(path: String)
    case postgres(PostgresAddress)

    /// A word for what it is.
    var kind: String {
        switch self {
        case .sqlite: "sqlite"
        case .postgres: "postgres"
        }
    }

    /// The file in the data folder, where nothing else was told.
    static let standard = "sqlite:" + DataFolder.database

    /// Reads `sqlite:PATH` or a `postgres://` URI. What is neither is not repeated in the message, for it may hold a password; and one
    /// on the command line, which everybody on the machine can read, is refused.
    init(_ told: ToldValue) throws(CommandFailure) {
        if PostgresAddress.isAddress(told.text) {
            guard let address = PostgresAddress(told.text) else {
                throw CommandFailure(
                    .usage,
                    "\(told.name) begins with postgres:// and is no address that libpq understands. Are there characters in its "
                        + "user, password or host that must be written as %XX?")
            }
            if case .flag = told.source, address.holdsPassword {
                throw CommandFailure(
                    .usage,
                    "everybody on this machine can read a password on the command line. Put the address into NIGHTLATCH_DATABASE or "
                        + "the configuration file, or the password into a password file (PGPASSFILE, ~/.pgpass).")
            }
            self = .postgres(address)
        } else if told.text.hasPrefix("sqlite:"), told.text.count > "sqlite:".count {
            self = .sqlite(path: String(told.text.dropFirst("sqlite:".count)))
        } else {
            throw CommandFailure(.usage, "\(told.name) takes sqlite:PATH or postgres://USER@HOST/NAME.")
        }
    }

    /// Opens it.
    ///
    /// - Parameters:
    ///   - connectionCount: How many connections to a PostgreSQL server there are at most.
    ///   - logger: What a PostgreSQL store writes to.
    func open(
        connectionCount: Int = PostgresStore.defaultConnectionCount,
        logger: Logger = Logger(label: "nightlatch.postgres", factory: StreamLogHandler.standardError(label:))
    ) async throws(CommandFailure) -> OpenDatabase {
        do {
            switch self {
            case .sqlite(let path):
                let store = try SQLiteStore(path: path)
                return OpenDatabase(store: store, close: store.close)
            case .postgres(let address):
                let store = try await PostgresStore.open(address, connectionCount: connectionCount, logger: logger)
                return OpenDatabase(store: store, close: { () throws(StoreError) in store.close() })
            }
        } catch {
            throw CommandFailure(error, database: self)
        }
    }
}

extension DatabaseAddress: CustomStringConvertible {
    /// As `--database` takes it, without a password.
    var description: String {
        switch self {
        case .sqlite(let path): "sqlite:" + path
        case .postgres(let address): address.description
        }
    }
}

/// A store that is open, and how to close it.
struct OpenDatabase {
    let store: any RelyingPartyStore
    let close: () throws(StoreError) -> Void
}
