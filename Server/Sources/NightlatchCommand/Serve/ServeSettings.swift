import Configuration
import Foundation
import NightlatchPostgres
import NightlatchServer
import NightlatchWire

/// What `nightlatch serve` was told, by flags, environment and file, with defaults for the rest.
struct ServeSettings {
    let listening: ListeningAddress
    let issuer: Issuer
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
    /// How long a key signs access tokens; nil for as long as nobody asks for another.
    let signingKeyLife: Duration?
    let devicePolicy: DevicePolicy
    let activeDeviceLimit: ActiveDeviceLimit
    let guessLimit: GuessLimit
    let localPin: LocalPinPolicy
    let limits: RequestLimits
    /// Nil where the heads of the audit log are not exported.
    let auditHeadSchedule: AuditHeadSchedule?
    /// Journeys to serve beside its own protocol.
    let journeys: JourneyConfiguration?
    /// What TLS is spoken with; nil for plain HTTP.
    let tls: ServerTLS?
    let logFormat: LogFormat
    /// Where metrics are told; nil for nowhere.
    let metricsAddress: ListeningAddress?

    static let defaultListening = "127.0.0.1:8080"

    /// What environment and file say, for a command beside the server.
    static func told() throws(CommandFailure) -> ConfigReader {
        try reader(EnvironmentVariablesProvider().prefixKeys(with: "nightlatch"), configPath: nil)
    }

    /// Reads all values and the keys' files. Makes the data folder and the keys if they are to be in it and are not.
    init(_ options: ServeOptions) throws(CommandFailure) {
        let environment = EnvironmentVariablesProvider().prefixKeys(with: "nightlatch")
        let told = try Self.reader(environment, configPath: options.config)
        func value(_ setting: ServeSetting) -> String? { told.string(forKey: ConfigKey(setting.rawValue)) }

        listening = try ListeningAddress(options.listen ?? value(.listen) ?? Self.defaultListening)
        tls = try Self.tls(
            certificate: options.tlsCertificate ?? value(.tlsCertificate), key: options.tlsKey ?? value(.tlsKey))
        let scheme = tls == nil ? "http" : "https"
        issuer = try Self.issuer(options.issuer ?? value(.issuer) ?? "\(scheme)://\(listening.text)")
        guard tls == nil || issuer.rawValue.hasPrefix("https:") else {
            throw CommandFailure(.usage, "with TLS the issuer begins with https, not “\(issuer)”.")
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
        let signingKeyDays = try Self.number(
            options.signingKeyDays.map(String.init) ?? value(.signingKeyDays) ?? "90", of: "whole days",
            in: 0...3650, option: "--signing-key-days")
        signingKeyLife = signingKeyDays == 0 ? nil : .seconds(signingKeyDays * 24 * 60 * 60)
        devicePolicy = try Self.devicePolicy(options.devicePolicy ?? value(.devicePolicy) ?? DevicePolicy.many.rawValue)
        activeDeviceLimit = try Self.activeDeviceLimit(
            options.activeDevices.map(String.init) ?? value(.activeDevices))
        guessLimit = try Self.guessLimit(options.guessLimit.map(String.init) ?? value(.guessLimit))
        localPin = try Self.localPin(options.localPin ?? value(.localPin))
        limits = try RequestLimits(
            addressRate: options.addressRate.map(String.init) ?? value(.addressRate),
            accountRate: options.accountRate.map(String.init) ?? value(.accountRate),
            concurrentRequests: options.concurrentRequests.map(String.init) ?? value(.concurrentRequests),
            arrivalSeconds: options.arrivalSeconds.map(String.init) ?? value(.arrivalSeconds),
            connections: options.connections.map(String.init) ?? value(.connections),
            addressConnections: options.addressConnections.map(String.init) ?? value(.addressConnections),
            trustedProxies: options.trustedProxies ?? value(.trustedProxies))
        let auditHeadsMinutes = try Self.number(
            options.auditHeadsMinutes.map(String.init) ?? value(.auditHeadsMinutes) ?? "60", of: "whole minutes",
            in: 1...10080, option: "--audit-heads-minutes")
        auditHeadSchedule = (options.auditHeadsFile ?? value(.auditHeadsFile)).map { path in
            AuditHeadSchedule(file: AuditHeadFile(path: path), interval: .seconds(auditHeadsMinutes * 60))
        }
        journeys = try (options.journeysFile ?? value(.journeysFile)).map(JourneysFile.configuration)
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
