import ArgumentParser
import Logging

/// The flags of `nightlatch serve`.
struct ServeOptions: ParsableArguments {
    @Option(
        help: """
            The store, as sqlite:PATH or postgres://USER@HOST/NAME, without a password. \
            (default: sqlite:nightlatch-data/nightlatch.sqlite)
            """)
    var database: String?

    @Option(help: "The maximum number of connections to PostgreSQL. (default: 8)")
    var databaseConnections: Int?

    @Option(help: "HOST:PORT to listen on; port 0 is any free port. (default: 127.0.0.1:8080)")
    var listen: String?

    @Option(help: "The URL by which clients know this relying party. (default: http://HOST:PORT)")
    var issuer: String?

    @Option(
        help:
            "The file of the master key, or the pkcs11: URI of a key in a token. (default: nightlatch-data/master.key)")
    var masterKeyFile: String?

    @Option(
        help: """
            The file of a second master key, during a rotation; the database says which one seals. It must exist. \
            (default: none)
            """)
    var otherMasterKeyFile: String?

    @Option(help: "The file of the key for the app's backend. (default: nightlatch-data/backend.key)")
    var backendKeyFile: String?

    @Option(
        help: "The file of the key with which operators sign in to the console. There is no console without it.")
    var adminKeyFile: String?

    @Option(help: "The number of seconds that requests have to finish after a stop was requested. (default: 10)")
    var shutdownSeconds: Int?

    @Option(
        help: "The number of days that a key signs access tokens; 0: until the next rotation by command. (default: 90)")
    var signingKeyDays: Int?

    @Option(
        help: """
            Whether a user can have several devices: many, or one (a new device replaces the others). (default: many)
            """)
    var devicePolicy: String?

    @Option(help: "The maximum number of devices of a user that are not revoked, up to 100. (default: 100)")
    var activeDevices: Int?

    @Option(
        help: "Guesses at a two-party PIN until it is proved again; the next one destroys its keys. (default: 10)")
    var guessLimit: Int?

    @Option(
        help: """
            Instead of --guess-limit: rounds of guesses with waits between them, such as 4,1m,4,5m,4,1h,4. \
            (default: none)
            """)
    var guessRounds: String?

    @Option(
        help: """
            Whether logins after a PIN that was checked on the device alone are accepted or refused. (default: accepted)
            """)
    var localPin: String?

    @Option(help: "Requests a second from one client address, ten times as many at once; 0 for no limit. (default: 50)")
    var addressRate: Int?

    @Option(help: "Logins begun a minute for one user name, as many at once; 0 for no limit. (default: 60)")
    var accountRate: Int?

    @Option(help: "Requests that are answered at the same time. (default: 1000)")
    var concurrentRequests: Int?

    @Option(help: "The maximum number of seconds from a request's head to its end. (default: 10)")
    var arrivalSeconds: Int?

    @Option(help: "Open connections. (default: 10000)")
    var connections: Int?

    @Option(
        help:
            "Open connections of one client address; those of proxies do not count. (default: 500)"
    )
    var addressConnections: Int?

    @Option(
        help: """
            Proxies whose X-Forwarded-For is trusted, as addresses or ranges such as 10.0.0.0/8, separated by commas. \
            (default: none)
            """)
    var trustedProxies: String?

    @Option(help: "A file to which signed heads of the audit log are appended. (default: none)")
    var auditHeadsFile: String?

    @Option(help: "The number of minutes between two exports of the audit log's heads. (default: 60)")
    var auditHeadsMinutes: Int?

    @Option(name: .customLong("journeys"), help: "A JSON file of journeys to serve as PingAM does. (default: none)")
    var journeysFile: String?

    @Option(
        help: """
            A file of certificate authorities in PEM that webhooks' receivers may have, besides the system's. \
            (default: none)
            """)
    var webhookCaFile: String?

    @Option(help: "The file of the TLS certificate and its chain, in PEM. (default: no TLS)")
    var tlsCertificate: String?

    @Option(help: "The file of the certificate's private key, in PEM. SIGHUP reloads both files.")
    var tlsKey: String?

    @Option(help: "The format of log lines: text or json. (default: text)")
    var logFormat: String?

    @Option(
        help: """
            The least level of the log's lines: \(ProcessLogLevel.choices.map(\.rawValue).joined(separator: ", ")). SIGUSR1 \
            toggles it with debug. (default: info)
            """)
    var logLevel: String?

    @Option(help: "HOST:PORT of /metrics for Prometheus; keep it private. (default: none)")
    var metricsAddress: String?

    @Option(help: "A JSON file with any of these values.")
    var config: String?

    @Flag(help: "Stop when standard input ends, for programs that start this one.")
    var untilStdinEnds = false
}
