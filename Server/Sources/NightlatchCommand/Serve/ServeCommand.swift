import ArgumentParser
import Foundation
import Hummingbird
import Logging
import Metrics
import NightlatchConsole
import NightlatchLoginPage
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServer
import NightlatchWire
import ServiceLifecycle
import UnixSignals

/// `nightlatch serve`: runs the relying party.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the relying party.",
        discussion: """
            Each value comes from its flag, otherwise from the environment \
            (\(ServeSetting.allCases.map(\.environmentName).joined(separator: ", "))), otherwise from the JSON file \
            (\(ServeSetting.allCases.map(\.rawValue).joined(separator: ", "))) that --config or NIGHTLATCH_CONFIG names. \
            By default all files are in ./nightlatch-data, and the server creates missing files, except the master key \
            of a database that was used with one.
            NIGHTLATCH_MASTER_KEY can contain the master key itself, as 32 bytes in base64url; so can \
            NIGHTLATCH_OTHER_MASTER_KEY the second master key of a rotation, and NIGHTLATCH_ADMIN_KEY the admin \
            key. With an admin key the operators' console is at /console. The page on which browsers log in is at /login.
            """
    )

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await serve())
        } catch {
            outcome = .failure(error)
        }
        // With the limit, the process ends even if the reader of the log stalls.
        await LogWriter.standardError.flush(within: .seconds(1))
        try outcome.get()
    }

    private func serve() async throws {
        let start = ContinuousClock.now
        let settings = try ServeSettings(options)
        let logLevel = ProcessLogLevel(settings.logLevel)
        LoggingSystem.bootstrap {
            LineLogHandler(log: LineLog(label: $0, format: settings.logFormat), processLevel: logLevel)
        }
        let metrics = settings.metricsAddress.map { _ in PrometheusMetrics() }
        if let metrics { MetricsSystem.bootstrap(metrics) }
        let logger = Logger(label: "nightlatch")
        if case .sqlite = settings.database, !SQLiteLibrary.stopCountingMemory() {
            logger.warning("SQLite was used before it was configured, so it counts its memory")
        }
        let database = try await settings.database.open(
            connectionCount: settings.databaseConnectionCount, logger: Logger(label: "nightlatch.postgres"))
        let masterKey = try await settings.masterKey(for: database.store)
        for warning in settings.looseModes { logger.warning("\(warning)") }
        if !ImportedPasswordHash.isBcryptSupported {
            logger.warning("This system has no bcrypt: passwords with imported bcrypt hashes are refused, uncounted")
        }
        let listening = settings.policy.listening
        let (listeningStart, starter) = AsyncStream<Void>.makeStream()
        let (metricsStart, metricsStarter) = AsyncStream<Void>.makeStream()
        if metrics == nil { metricsStarter.finish() }
        let application: any ApplicationProtocol
        do {
            application = try await buildApplication(
                configuration: settings.policy.configuration,
                store: database.store,
                masterKey: masterKey,
                otherMasterKey: settings.otherMasterKey,
                backendKey: settings.backendKey,
                additions: [.loginPage] + (settings.adminKey.map { [.console(adminKey: $0)] } ?? []),
                address: .hostname(listening.host, port: listening.port),
                tls: settings.tls,
                logger: logger,
                onListening: { port in
                    // Waits until the metrics server listens. If it cannot listen, this task is cancelled.
                    for await _ in metricsStart {}
                    // A listener that is being closed has no port.
                    if port != 0, !Task.isCancelled { Self.announce(settings, port: port) }
                    starter.finish()
                }
            )
        } catch {
            throw CommandFailure(error, database: settings.database)
        }
        try await run(application, start: listeningStart, settings, logLevel, metrics, metricsStarter)
        do {
            try database.close()
        } catch {
            throw CommandFailure(error, database: settings.database)
        }
        let seconds = (ContinuousClock.now - start).components.seconds
        logger.notice("Stopped", metadata: ["seconds": .stringConvertible(Int(seconds))])
    }

    /// Prints where the server listens, once all listeners are ready.
    private static func announce(_ settings: ServeSettings, port: Int) {
        let scheme = settings.tls == nil ? "http" : "https"
        StandardStream.writeLine(
            "listening on \(scheme)://\(settings.policy.listening.urlHost):\(port)", to: .standardOutput)
        guard settings.adminKey != nil else { return }
        let place = settings.adminKeyFile ?? "NIGHTLATCH_ADMIN_KEY"
        StandardStream.writeLine(
            "console on \(settings.policy.issuer.rawValue)/console, admin key in \(place)", to: .standardOutput)
    }

    /// Serves until a signal asks it to stop, then lets requests in progress finish within the time limit.
    private func run(
        _ application: some ApplicationProtocol,
        start: AsyncStream<Void>,
        _ settings: ServeSettings,
        _ logLevel: ProcessLogLevel,
        _ metrics: PrometheusMetrics?,
        _ metricsStarter: AsyncStream<Void>.Continuation
    ) async throws(CommandFailure) {
        var configuration = ServiceGroupConfiguration(
            services: [.init(service: Listener(base: application, address: settings.policy.listening))],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: application.logger)
        if let metrics, let address = settings.metricsAddress {
            let told = try await MetricsListener.build(metrics, database: settings.database.kind, address: address) {
                metricsStarter.finish()
            }
            // Services stop in reverse order, so this one stops last and reports metrics during the shutdown, too.
            configuration.services.insert(.init(service: told), at: 0)
        }
        let levelSignals = await UnixSignalsSequence(trapping: .sigusr1)
        configuration.services.append(
            .init(service: LogLevelSignal(signals: levelSignals, level: logLevel, logger: application.logger)))
        if let tls = settings.tls {
            configuration.services.append(.init(service: CertificateReload(tls: tls, logger: application.logger)))
        }
        if options.untilStdinEnds {
            configuration.services.append(
                .init(service: StandardInputEnd(start: start), successTerminationBehavior: .gracefullyShutdownGroup))
        }
        // Without a limit, a request that never ends would keep the process alive.
        configuration.maximumGracefulShutdownDuration = settings.shutdownLimit
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.unavailable, "the server stopped: \(error).")
        }
    }
}
