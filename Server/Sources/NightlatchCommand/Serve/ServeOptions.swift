import ArgumentParser

/// The flags of `nightlatch serve`.
struct ServeOptions: ParsableArguments {
    @Option(
        help: """
            The store, as sqlite:PATH or postgres://USER@HOST/NAME. A password is taken from elsewhere alone. \
            (default: sqlite:nightlatch-data/nightlatch.sqlite)
            """)
    var database: String?

    @Option(help: "How many connections to a PostgreSQL server there are at most. (default: 8)")
    var databaseConnections: Int?

    @Option(help: "HOST:PORT to listen on; port 0 takes a free one. (default: 127.0.0.1:8080)")
    var listen: String?

    @Option(help: "The URL by which clients know this relying party. (default: http://HOST:PORT)")
    var issuer: String?

    @Option(help: "The file of the master key. (default: nightlatch-data/master.key)")
    var masterKeyFile: String?

    @Option(help: "The file of the key for the app's backend. (default: nightlatch-data/backend.key)")
    var backendKeyFile: String?

    @Option(
        help: "The file of the key with which operators sign in to the console. There is no console without it.")
    var adminKeyFile: String?

    @Option(help: "How long requests under way may take once the relying party was asked to stop. (default: 10)")
    var shutdownSeconds: Int?

    @Option(
        help: "How many days a key signs access tokens before another takes its place; 0: until asked. (default: 90)")
    var signingKeyDays: Int?

    @Option(
        help: """
            What becomes of the devices that a user has when another one is bound: many (they stay) or one (the new one takes \
            their place). (default: many)
            """)
    var devicePolicy: String?

    @Option(help: "How many devices that are not revoked a user may have, at most 100. (default: 100)")
    var activeDevices: Int?

    @Option(
        help: "Guesses at a two-party PIN until it is proved again; the next one destroys its keys. (default: 10)")
    var guessLimit: Int?

    @Option(
        help: """
            Whether devices log in after a PIN that was tried on the device alone: accepted, or refused. (default: accepted)
            """)
    var localPin: String?

    @Option(help: "Requests a second from one client address, ten times as many at once; 0 for no limit. (default: 50)")
    var addressRate: Int?

    @Option(help: "Logins begun a minute for one user name, as many at once; 0 for no limit. (default: 60)")
    var accountRate: Int?

    @Option(help: "Requests that are answered at the same time. (default: 1000)")
    var concurrentRequests: Int?

    @Option(help: "How many seconds a request may take to come whole once its head has. (default: 10)")
    var arrivalSeconds: Int?

    @Option(help: "Connections that are open at the same time. (default: 10000)")
    var connections: Int?

    @Option(
        help:
            "Connections of one client address that are open at the same time; those of proxies do not count. (default: 500)"
    )
    var addressConnections: Int?

    @Option(
        help: """
            Proxies whose X-Forwarded-For is believed, as addresses or ranges such as 10.0.0.0/8, separated by commas. \
            (default: none)
            """)
    var trustedProxies: String?

    @Option(help: "A file to which signed heads of the audit log are appended. (default: none)")
    var auditHeadsFile: String?

    @Option(help: "How many minutes lie between two exports of the audit log's heads. (default: 60)")
    var auditHeadsMinutes: Int?

    @Option(name: .customLong("journeys"), help: "A JSON file of journeys to serve as PingAM does. (default: none)")
    var journeysFile: String?

    @Option(help: "The file of the certificate for TLS and those it leads to, in PEM. (default: no TLS)")
    var tlsCertificate: String?

    @Option(help: "The file of the certificate's private key, in PEM. Both are read again at SIGHUP.")
    var tlsKey: String?

    @Option(help: "How lines of the log are written: text or json. (default: text)")
    var logFormat: String?

    @Option(help: "HOST:PORT where Prometheus finds /metrics; nobody else should. (default: nowhere)")
    var metricsAddress: String?

    @Option(help: "A JSON file with any of these values.")
    var config: String?

    @Flag(help: "Stop when standard input ends: for programs that start this one.")
    var untilStdinEnds = false
}
