import Configuration
import Logging
import NightlatchPostgres
import NightlatchServer

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

    /// Reads `sqlite:PATH` or a `postgres://` URI. What is neither is not repeated in the message, for it may hold a password.
    init(_ text: String) throws(CommandFailure) {
        if PostgresAddress.isAddress(text) {
            guard let address = PostgresAddress(text) else {
                throw CommandFailure(
                    .usage,
                    "the database's address begins with postgres:// and is none that libpq understands. Are there characters in its "
                        + "user, password or host that must be written as %XX?")
            }
            self = .postgres(address)
        } else if text.hasPrefix("sqlite:"), text.count > "sqlite:".count {
            self = .sqlite(path: String(text.dropFirst("sqlite:".count)))
        } else {
            throw CommandFailure(.usage, "--database takes sqlite:PATH or postgres://USER@HOST/NAME.")
        }
    }

    /// As ``init(_:)``, from the command line, which everybody on the machine can read: a password is refused there.
    init(argument: String) throws(CommandFailure) {
        try self.init(argument)
        if case .postgres(let address) = self, address.holdsPassword {
            throw CommandFailure(
                .usage,
                "everybody on this machine can read a password on the command line. Put the address into NIGHTLATCH_DATABASE or the "
                    + "configuration file, or the password into a password file (PGPASSFILE, ~/.pgpass).")
        }
    }

    /// The address on the command line, else that of `NIGHTLATCH_DATABASE`, else the file in the data folder.
    static func told(by argument: String?) throws(CommandFailure) -> Self {
        if let argument { return try Self(argument: argument) }
        let environment = EnvironmentVariablesProvider().prefixKeys(with: "nightlatch")
        return try Self(
            ConfigReader(provider: environment).string(forKey: ConfigKey(ServeSetting.database.rawValue))
                ?? "sqlite:" + DataFolder.database)
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
