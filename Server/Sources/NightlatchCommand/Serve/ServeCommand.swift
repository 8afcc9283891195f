import ArgumentParser
import Foundation
import Hummingbird
import Logging
import NightlatchServer
import NightlatchWire
import ServiceLifecycle
import UnixSignals

/// `nightlatch serve`: the relying party.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the relying party.",
        discussion: """
            Each value is taken from its flag, else from the environment \
            (\(ServeSetting.allCases.map(\.environmentName).joined(separator: ", "))), else from a JSON file \
            (\(ServeSetting.allCases.map(\.rawValue).joined(separator: ", "))) that --config or NIGHTLATCH_CONFIG names. \
            Without any, everything is kept in ./nightlatch-data, and what is missing there is made.
            The master key itself may stand in NIGHTLATCH_MASTER_KEY, as 32 bytes in base64url, and nowhere else; so may the admin \
            key in NIGHTLATCH_ADMIN_KEY. With an admin key the operators' console is at /console.
            """
    )

    @OptionGroup var options: ServeOptions

    func run() async throws {
        LoggingSystem.bootstrap(LineLogHandler.init)
        let settings = try ServeSettings(options)
        let database = try await settings.database.open(connectionCount: settings.databaseConnectionCount)
        let listening = settings.listening
        var configuration = RelyingPartyConfiguration(issuer: settings.issuer)
        configuration.limits = settings.limits
        configuration.signingKeyLife = settings.signingKeyLife
        configuration.auditHeadSchedule = settings.auditHeadSchedule
        configuration.devicePolicy = settings.devicePolicy
        configuration.journeys = settings.journeys
        let (start, starter) = AsyncStream<Void>.makeStream()
        let application: any ApplicationProtocol
        do {
            application = try await buildApplication(
                configuration: configuration,
                store: database.store,
                masterKey: settings.masterKey,
                backendKey: settings.backendKey,
                adminKey: settings.adminKey,
                address: .hostname(listening.host, port: listening.port),
                logger: Logger(label: "nightlatch"),
                onListening: { port in
                    StandardStream.writeLine(
                        "listening on http://\(listening.urlHost):\(port)", to: .standardOutput)
                    if settings.adminKey != nil {
                        let place = settings.adminKeyFile ?? "NIGHTLATCH_ADMIN_KEY"
                        StandardStream.writeLine(
                            "console on \(settings.issuer.rawValue)/console, admin key in \(place)", to: .standardOutput
                        )
                    }
                    starter.finish()
                }
            )
        } catch {
            throw CommandFailure(error, database: settings.database)
        }
        try await run(application, start: start, settings)
        do {
            try database.close()
        } catch {
            throw CommandFailure(error, database: settings.database)
        }
    }

    /// Serves until it is asked to stop, and then for as long as requests under way may take.
    private func run(
        _ application: some ApplicationProtocol,
        start: AsyncStream<Void>,
        _ settings: ServeSettings
    ) async throws(CommandFailure) {
        var configuration = ServiceGroupConfiguration(
            services: [.init(service: application)], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: application.logger)
        if options.untilStdinEnds {
            configuration.services.append(
                .init(service: StandardInputEnd(start: start), successTerminationBehavior: .gracefullyShutdownGroup))
        }
        // A request that never ends would hold the process for ever.
        configuration.maximumGracefulShutdownDuration = settings.shutdownLimit
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch {
            throw CommandFailure(.unavailable, "cannot serve on \(settings.listening.text): \(error)")
        }
    }
}
