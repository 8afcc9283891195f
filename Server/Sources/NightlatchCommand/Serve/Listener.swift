import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore
import NightlatchProgram
import NightlatchServer
import ServiceLifecycle

/// A server at an address. If it cannot listen at the address, the error message names the address.
struct Listener<Base: Service>: Service {
    let base: Base
    let address: ListeningAddress

    func run() async throws {
        do {
            try await base.run()
        } catch {
            throw CommandFailure(error, listeningOn: address)
        }
    }
}

/// Builds the server that Prometheus scrapes.
enum MetricsListener {
    /// Builds the server.
    ///
    /// - Parameters:
    ///   - metrics: The metrics to serve.
    ///   - database: The kind of database, as a word.
    ///   - address: The address to listen on.
    ///   - onListening: Called once the server listens.
    static func build(
        _ metrics: PrometheusMetrics,
        database: String,
        address: ListeningAddress,
        onListening: @escaping @Sendable () -> Void
    ) async throws(CommandFailure) -> any Service {
        let base = buildMetricsApplication(
            metrics, database: database, address: .hostname(address.host, port: address.port))
        do {
            let application = Application(
                responder: try await base.responder, server: base.server, configuration: base.configuration,
                services: base.services, onServerRunning: { _ in onListening() }, logger: base.logger)
            return Listener(base: application, address: address)
        } catch {
            throw CommandFailure(error, listeningOn: address)
        }
    }
}

extension CommandFailure {
    /// Explains why the server cannot listen on `address`.
    fileprivate init(_ error: any Error, listeningOn address: ListeningAddress) {
        let reason =
            switch error {
            case let error as IOError where [EACCES, EPERM].contains(error.errnoCode):
                "permission denied: ports below 1024 need a special right"
            case let error as IOError: SystemError(number: error.errnoCode).description
            case is SocketAddressError.UnknownHost: "there is no such host"
            default: "\(error)"
            }
        self.init(.unavailable, "cannot serve on \(address.text): \(reason).")
    }
}
