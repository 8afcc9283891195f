import Configuration
import Foundation
import NightlatchPostgres
import NightlatchServer
import NightlatchWire

/// What `nightlatch serve` was told, by flags, environment and file, with defaults for the rest.
struct ServeSettings {
    let policy: PolicySettings
    let masterKey: MasterKey
    let backendKey: BackendKey
    /// What operators sign in to the console with; nil for no console.
    let adminKey: AdminKey?
    /// Where it lies; nil if it lies in no file.
    let adminKeyFile: String?
    let database: DatabaseAddress
    /// How many connections to a PostgreSQL server there are at most.
    let databaseConnectionCount: Int
    /// How long requests under way may take once the relying party was asked to stop.
    let shutdownLimit: Duration
    /// What TLS is spoken with; nil for plain HTTP.
    let tls: ServerTLS?
    let logFormat: LogFormat
    /// Where metrics are told; nil for nowhere.
    let metricsAddress: ListeningAddress?

    /// What environment and file say, for a command beside the server.
    ///
    /// - Parameter configPath: Where the file lies; nil for where the environment says, if it does.
    static func told(configPath: String? = nil) throws(CommandFailure) -> ConfigReader {
        try reader(EnvironmentVariablesProvider().prefixKeys(with: "nightlatch"), configPath: configPath)
    }

    /// Reads all values and the keys' files. Makes the data folder and the keys if they are to be in it and are not.
    init(_ options: ServeOptions) throws(CommandFailure) {
        let environment = EnvironmentVariablesProvider().prefixKeys(with: "nightlatch")
        let told = try Self.reader(environment, configPath: options.config)
        func value(_ setting: ServeSetting) -> String? { told.string(forKey: ConfigKey(setting.rawValue)) }

        policy = try PolicySettings(options, told: told)
        tls = try Self.tls(
            certificate: options.tlsCertificate ?? value(.tlsCertificate), key: options.tlsKey ?? value(.tlsKey))
        guard tls == nil || policy.issuer.rawValue.hasPrefix("https:") else {
            throw CommandFailure(.usage, "with TLS the issuer begins with https, not “\(policy.issuer)”.")
        }
        let logFormatName = options.logFormat ?? value(.logFormat) ?? LogFormat.text.rawValue
        guard let logFormat = LogFormat(rawValue: logFormatName) else {
            throw CommandFailure(.usage, "--log-format takes text or json, not “\(logFormatName)”.")
        }
        self.logFormat = logFormat
        shutdownLimit = .seconds(
            try Self.number(
                options.shutdownSeconds.map(String.init) ?? value(.shutdownSeconds) ?? "10", of: "whole seconds",
                in: 0...3600, option: "--shutdown-seconds"))
        metricsAddress = try (options.metricsAddress ?? value(.metricsAddress)).map { text throws(CommandFailure) in
            try ListeningAddress(text, option: "--metrics-address")
        }
        let hasDatabase = options.database != nil || value(.database) != nil
        database =
            if let argument = options.database {
                try DatabaseAddress(argument: argument)
            } else {
                try DatabaseAddress(value(.database) ?? "sqlite:" + DataFolder.database)
            }
        databaseConnectionCount = try Self.number(
            options.databaseConnections.map(String.init) ?? value(.databaseConnections)
                ?? String(PostgresStore.defaultConnectionCount), of: "whole connections",
            in: 1...1000, option: "--database-connections")

        let masterKeyFile = options.masterKeyFile ?? value(.masterKeyFile)
        let backendKeyFile = options.backendKeyFile ?? value(.backendKeyFile)
        if !hasDatabase || masterKeyFile == nil || backendKeyFile == nil { try DataFolder.makeIfAbsent() }
        // A file of settings lies open to more people than a secret may.
        let masterKeyText = ConfigReader(provider: environment).string(forKey: "masterKey", isSecret: true)
        masterKey = try Self.masterKey(text: masterKeyText, file: masterKeyFile ?? DataFolder.masterKey)
        let backendKeyPath = backendKeyFile ?? DataFolder.backendKey
        do {
            backendKey = try BackendKey.loadOrCreate(at: backendKeyPath)
        } catch {
            throw CommandFailure(error, path: backendKeyPath)
        }
        (adminKey, adminKeyFile) = try Self.adminKey(
            text: ConfigReader(provider: environment).string(forKey: "adminKey", isSecret: true),
            file: options.adminKeyFile ?? value(.adminKeyFile))
    }

    private static func reader(
        _ environment: some ConfigProvider,
        configPath: String?
    ) throws(CommandFailure) -> ConfigReader {
        guard let path = configPath ?? ConfigReader(provider: environment).string(forKey: "config") else {
            return ConfigReader(provider: environment)
        }
        let values = try ServeFile(path: path).values.map { setting, value in
            (AbsoluteConfigKey([setting.rawValue], context: [:]), ConfigValue(.string(value), isSecret: false))
        }
        let file = InMemoryProvider(name: path, values: Dictionary(uniqueKeysWithValues: values))
        return ConfigReader(providers: [environment, file])
    }
}
