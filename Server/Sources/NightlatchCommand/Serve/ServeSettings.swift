import Foundation
import Logging
import NightlatchPKCS11
import NightlatchPostgres
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// The settings of `nightlatch serve`, from flags, environment and configuration file, with defaults.
struct ServeSettings {
    let policy: PolicySettings
    /// The master key; nil if its file does not exist.
    let masterKey: MasterKey?
    let masterKeyFile: String
    /// A second master key, during a rotation.
    let otherMasterKey: MasterKey?
    let otherMasterKeyFile: String?
    let backendKey: BackendKey
    let backendKeyFile: String
    /// The key with which operators sign in to the console; nil for no console.
    let adminKey: AdminKey?
    /// The file of the admin key; nil if the key came from the environment, or if there is none.
    let adminKeyFile: String?
    let database: DatabaseAddress
    /// The maximum number of connections to a PostgreSQL server.
    let databaseConnectionCount: Int
    /// How long requests in progress may take after the relying party was asked to stop.
    let shutdownLimit: Duration
    /// The TLS certificate; nil for plain HTTP.
    let tls: ServerTLS?
    let logFormat: LogFormat
    /// The log level at the start.
    let logLevel: Logger.Level
    /// The address of the metrics server; nil for none.
    let metricsAddress: ListeningAddress?

    /// Warnings about files that other users of this machine can read or change.
    var looseModes: [String] {
        let path: String? = if case .sqlite(let path) = database { path } else { nil }
        return LooseModes.warnings(
            database: path, keys: masterKeyPaths + [backendKeyFile, adminKeyFile].compactMap(\.self))
    }

    /// The files that the master keys depend on: their own, or the PINs of their tokens and the tokens' libraries.
    private var masterKeyPaths: [String] {
        [masterKeyFile, otherMasterKeyFile].compactMap(\.self).flatMap { file in
            guard PKCS11URI.isMeant(by: file) else { return [file] }
            do throws(PKCS11Error) {
                let uri = try PKCS11URI(file)
                return [uri.pinFile, uri.modulePath]
            } catch {
                // The key comes from the environment then: this URI was never used.
                return []
            }
        }
    }

    /// Reads all settings and the key files.
    ///
    /// Creates the data folder, the backend key and the admin key if they are needed and missing. Does not create the
    /// master key: ``masterKey(for:)`` does that, depending on the keys in the database.
    init(_ options: ServeOptions) throws(CommandFailure) {
        let told = try ToldSettings(options)
        policy = try PolicySettings(told)
        tls = try Self.tls(certificate: told[.tlsCertificate]?.text, key: told[.tlsKey]?.text)
        guard tls == nil || policy.issuer.rawValue.hasPrefix("https:") else {
            throw CommandFailure(.usage, "with TLS the issuer begins with https, not “\(policy.issuer)”.")
        }
        logFormat = try Self.logFormat(told[.logFormat])
        logLevel = try Self.logLevel(told[.logLevel])
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
        otherMasterKeyFile = told[.otherMasterKeyFile]?.text
        otherMasterKey = try Self.otherMasterKey(file: otherMasterKeyFile)
        backendKeyFile = ownBackendKeyFile ?? DataFolder.backendKey
        backendKey = try Self.keyOrNewOne(in: backendKeyFile, log: log, BackendKey.loadOrCreate(at:))
        (adminKey, adminKeyFile) = try Self.adminKey(file: told[.adminKeyFile]?.text, log: log)
    }
}
