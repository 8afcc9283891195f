import Foundation
import NightlatchPostgres
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// What `nightlatch serve` was told, by flags, environment and file, with defaults for the rest.
struct ServeSettings {
    let policy: PolicySettings
    /// Nil if it was to be in a file that is not there.
    let masterKey: MasterKey?
    let masterKeyFile: String
    let backendKey: BackendKey
    let backendKeyFile: String
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

    /// What others on this machine can do with the files that it was told of.
    var looseModes: [String] {
        let path: String? = if case .sqlite(let path) = database { path } else { nil }
        return LooseModes.warnings(
            database: path, keys: [masterKeyFile, backendKeyFile, adminKeyFile].compactMap(\.self))
    }

    /// Reads all values and the keys' files. Makes the data folder, the backend key and the admin key if they are to be there and are
    /// not; the master key only ``masterKey(for:)`` makes, which knows the database.
    init(_ options: ServeOptions) throws(CommandFailure) {
        let told = try ToldSettings(options)
        policy = try PolicySettings(told)
        tls = try Self.tls(certificate: told[.tlsCertificate]?.text, key: told[.tlsKey]?.text)
        guard tls == nil || policy.issuer.rawValue.hasPrefix("https:") else {
            throw CommandFailure(.usage, "with TLS the issuer begins with https, not “\(policy.issuer)”.")
        }
        logFormat = try Self.logFormat(told[.logFormat])
        shutdownLimit = .seconds(
            try told[.shutdownSeconds, default: "10"].number(of: "whole seconds", in: 0...3600))
        metricsAddress = try told[.metricsAddress].map { told throws(CommandFailure) in try ListeningAddress(told) }
        database = try DatabaseAddress(told[.database, default: DatabaseAddress.standard])
        databaseConnectionCount = try told[
            .databaseConnections, default: String(PostgresStore.defaultConnectionCount)
        ].number(of: "whole connections", in: 1...1000)

        let (ownMasterKeyFile, ownBackendKeyFile) = (told[.masterKeyFile]?.text, told[.backendKeyFile]?.text)
        if told[.database] == nil || ownMasterKeyFile == nil || ownBackendKeyFile == nil {
            try DataFolder.makeIfAbsent()
        }
        let log = LineLog(label: "nightlatch", format: logFormat)
        masterKeyFile = ownMasterKeyFile ?? DataFolder.masterKey
        masterKey = try Self.masterKey(file: masterKeyFile)
        backendKeyFile = ownBackendKeyFile ?? DataFolder.backendKey
        backendKey = try Self.keyOrNewOne(in: backendKeyFile, log: log, BackendKey.loadOrCreate(at:))
        (adminKey, adminKeyFile) = try Self.adminKey(file: told[.adminKeyFile]?.text, log: log)
    }
}
