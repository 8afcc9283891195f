import Foundation
import Hummingbird
import Logging
import NightlatchLoginPage
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServer
import NightlatchWire

/// The relying party of the demonstration: a real one over SQLite, in this process, on a loopback port.
struct DemoServer {
    let issuer: Issuer
    let backendKey: BackendKey
    let administration: Administration
    let application: any ApplicationProtocol
    let events: ServerEvents

    /// Creates the server with a new database.
    ///
    /// - Parameters:
    ///   - folder: The existing folder for its database.
    ///   - show: Called with all events to show, each time that there is a new one.
    ///   - observe: Called with each exchange, before its answer is sent.
    init(
        folder: String, show: @escaping @Sendable ([ServerEvent]) -> Void,
        observe: @escaping @Sendable (Exchange) -> Void
    ) async throws(CommandFailure) {
        let address = try ListeningAddress("127.0.0.1:0")
        guard let issuer = Issuer(rawValue: "http://\(address.text)") else {
            throw CommandFailure(.defect, "a server at \(address.text) has no name")
        }
        self.issuer = issuer
        do {
            let store = try SQLiteStore(path: folder + "/nightlatch.sqlite")
            backendKey = try .loadOrCreate(at: folder + "/backend.key")
            administration = Administration(of: store, by: .operator)
            let events = ServerEvents(store: store, show: show)
            self.events = events
            let base = try await buildApplication(
                configuration: RelyingPartyConfiguration(issuer: issuer), store: store, masterKey: .random(),
                backendKey: backendKey, additions: [.loginPage],
                address: .hostname(address.host, port: address.port), logger: .demonstration)
            application = ObservedApplication(base: base) { exchange in
                await events.note(exchange)
                observe(exchange)
            }
        } catch {
            throw CommandFailure(.unavailable, "the server of the demonstration does not start: \(error)")
        }
    }
}
