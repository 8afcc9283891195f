import Configuration
import Foundation
import NightlatchServer
import NightlatchWire

/// What `nightlatch serve` was told, by flags, environment and file, with defaults for the rest.
struct ServeSettings {
    let listening: ListeningAddress
    let issuer: Issuer
    let masterKey: MasterKey
    let backendKey: BackendKey
    private let databasePath: String

    /// Reads all values and the keys' files. Makes the data folder and the keys if they are to be in it and are not.
    init(_ options: ServeOptions) async throws {
        let reader = try await Self.reader(configPath: options.config)
        listening = try ListeningAddress(options.listen ?? reader.string(forKey: "listen") ?? "127.0.0.1:8080")

        let name = options.issuer ?? reader.string(forKey: "issuer") ?? "http://\(listening.text)"
        guard let issuer = Issuer(rawValue: name) else {
            throw CommandFailure(
                .usage,
                "“\(name)” cannot name a relying party: it takes https, or http on a loopback address. Use --issuer.")
        }
        self.issuer = issuer

        let database = options.database ?? reader.string(forKey: "database")
        let masterKeyFile = options.masterKeyFile ?? reader.string(forKey: "masterKeyFile")
        let backendKeyFile = options.backendKeyFile ?? reader.string(forKey: "backendKeyFile")
        if database == nil || masterKeyFile == nil || backendKeyFile == nil { try DataFolder.makeIfAbsent() }
        databasePath = try Self.sqlitePath(database ?? "sqlite:" + DataFolder.database)
        masterKey = try Self.masterKey(
            text: reader.string(forKey: "masterKey", isSecret: true), file: masterKeyFile ?? DataFolder.masterKey)
        let backendKeyPath = backendKeyFile ?? DataFolder.backendKey
        do {
            backendKey = try BackendKey.loadOrCreate(at: backendKeyPath)
        } catch {
            throw CommandFailure(.unavailable, Self.explain(error, path: backendKeyPath))
        }
    }

    /// Opens the store.
    func openStore() throws(CommandFailure) -> SQLiteStore {
        do {
            return try SQLiteStore(path: databasePath)
        } catch {
            throw CommandFailure(.unavailable, Self.explain(.store(error)) + " The store is \(databasePath).")
        }
    }

    private static func reader(configPath: String?) async throws(CommandFailure) -> ConfigReader {
        let environment = EnvironmentVariablesProvider()
        let path = configPath ?? ProcessInfo.processInfo.environment["NIGHTLATCH_CONFIG"]
        guard let path else { return ConfigReader(provider: environment.prefixKeys(with: "nightlatch")) }
        do {
            let location = ConfigReader(provider: InMemoryProvider(values: ["filePath": .init(stringLiteral: path)]))
            let file = try await FileProvider<JSONSnapshot>(config: location)
            return ConfigReader(providers: [environment.prefixKeys(with: "nightlatch"), file])
        } catch {
            throw CommandFailure(.usage, "cannot read the configuration \(path): \(error)")
        }
    }

    private static func sqlitePath(_ database: String) throws(CommandFailure) -> String {
        guard database.hasPrefix("sqlite:"), database.count > "sqlite:".count else {
            throw CommandFailure(.usage, "--database takes sqlite:PATH, not “\(database)”.")
        }
        return String(database.dropFirst("sqlite:".count))
    }

    private static func masterKey(text: String?, file: String) throws(CommandFailure) -> MasterKey {
        if let text {
            guard let key = MasterKey(text: text) else {
                throw CommandFailure(.usage, "NIGHTLATCH_MASTER_KEY is not 32 bytes in base64url.")
            }
            return key
        }
        do {
            return try MasterKey.load(from: file)
        } catch {
            throw CommandFailure(.unavailable, explain(error, path: file))
        }
    }
}
