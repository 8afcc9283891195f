import Foundation
import Hummingbird
import Logging
import Nightlatch
import Observation
import ServiceLifecycle

/// The demonstration to click through: the real server, a phone that is the real client library, and a page that shows both.
///
/// All of it is in this process and on the loopback interface, and talks over sockets all the same.
@MainActor
final class WebDemonstration {
    private let server: DemoServer
    private let phone: DemoPhone
    private let states = PageStates()
    private let address: PageAddress

    /// - Parameters:
    ///   - folder: Where everything lies; it is there, and goes when the demonstration is over.
    ///   - keyDerivation: What the phone's PIN is stretched with.
    init(folder: String, keyDerivation: KeyDerivationParameters) async throws {
        let states = states
        server = try await DemoServer(folder: folder) { states.show($0, as: .server) }
        address = PageAddress(port: try ListeningAddress("127.0.0.1:0").port)
        let device = try DemoDevice(
            folder: folder, keyDerivation: keyDerivation, issuer: server.issuer, sensor: DemoSensor())
        let backend = try DemoBackend(issuer: server.issuer, key: server.backendKey)
        phone = DemoPhone(
            device: device, backend: backend,
            operator: DemoOperator(administration: server.administration, user: backend.user))
        states.show([ServerEvent](), as: .server)
        watchPhone()
    }

    /// Serves until the process ends.
    ///
    /// - Parameter onListening: Is given the page's address once it can be opened, and another that leads there once.
    func run(onListening: @escaping @Sendable (_ url: String, _ urlOnce: String) -> Void) async throws {
        let (phone, url, urlOnce) = (phone, address.url, address.urlOnce)
        let routes = PageRoutes(address: address, states: states) { event in await phone.handle(event) }
        let logger = Logger.demonstration
        let page = Application(
            router: routes.router(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: address.port)),
            onServerRunning: { _ in onListening(url, urlOnce) }, logger: logger)
        try await ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: server.application), .init(service: page)], logger: logger)
        ).run()
    }

    /// Has the page draw the phone, now and each time that something of it has changed.
    private func watchPhone() {
        let view = withObservationTracking {
            PhoneView(phone)
        } onChange: { [weak self] in
            // It comes before the change.
            Task { @MainActor in self?.watchPhone() }
        }
        states.show(view, as: .phone)
    }
}
