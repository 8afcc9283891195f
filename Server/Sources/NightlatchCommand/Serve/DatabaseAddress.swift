import Logging
import NightlatchPostgres
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchSQLite

/// The value of `--database`: a SQLite file or a PostgreSQL database.
enum DatabaseAddress {
    case sqlite(path: String)
    case postgres(PostgresAddress)

    /// The kind of database, as a word.
    var kind: String {
        switch self {
        case .sqlite: "sqlite"
        case .postgres: "postgres"
        }
    }

    /// The default: the file in the data folder.
    static let standard = "sqlite:" + DataFolder.database

    /// Parses `sqlite:PATH` or a `postgres://` URI.
    ///
    /// The error message for any other value does not repeat the value, because it may contain a password. A password
    /// on the command line is refused, because every user of the machine can read it.
    init(_ told: ToldValue) throws(CommandFailure) {
        if PostgresAddress.isAddress(told.text) {
            guard let address = PostgresAddress(told.text) else {
                throw CommandFailure(
                    .usage,
                    "\(told.name) begins with postgres://, but libpq cannot parse it. Write special characters in user, "
                        + "password and host as %XX.")
            }
            if case .flag = told.source, address.holdsPassword {
                throw CommandFailure(
                    .usage,
                    "every user of this machine can read a password on the command line. Put the address into "
                        + "NIGHTLATCH_DATABASE or the configuration file, or the password into a password file "
                        + "(PGPASSFILE, ~/.pgpass).")
            }
            self = .postgres(address)
        } else if told.text.hasPrefix("sqlite:"), told.text.count > "sqlite:".count {
            self = .sqlite(path: String(told.text.dropFirst("sqlite:".count)))
        } else {
            throw CommandFailure(.usage, "\(told.name) takes sqlite:PATH or postgres://USER@HOST/NAME.")
        }
    }

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - connectionCount: The maximum number of connections to a PostgreSQL server.
    ///   - logger: The log of a PostgreSQL store.
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
                return OpenDatabase(store: store, close: { () throws(RelyingPartyStoreError) in store.close() })
            }
        } catch {
            throw CommandFailure(error, database: self)
        }
    }
}

extension DatabaseAddress: CustomStringConvertible {
    /// The address in the format of `--database`, without a password.
    var description: String {
        switch self {
        case .sqlite(let path): "sqlite:" + path
        case .postgres(let address): address.description
        }
    }
}

/// An open store, and the function that closes it.
struct OpenDatabase {
    let store: any RelyingPartyStore
    let close: () throws(RelyingPartyStoreError) -> Void
}
