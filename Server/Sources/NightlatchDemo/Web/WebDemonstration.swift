import Foundation
import Hummingbird
import Logging
import Nightlatch
import NightlatchProgram
import Observation
import ServiceLifecycle

/// The interactive demonstration: the real server, a phone that runs the real client library, and a page that shows
/// both.
///
/// All parts run in this process and communicate over sockets of the loopback interface.
@MainActor
final class WebDemonstration {
    private let server: DemoServer
    private let phone: DemoPhone
    private let states = PageStates()
    private let address: PageAddress

    /// Creates the server, the phone and the page.
    ///
    /// - Parameters:
    ///   - folder: The existing folder for all files. The caller removes it afterwards.
    ///   - keyDerivation: The key derivation of the phone's PIN.
    init(folder: String, keyDerivation: KeyDerivationParameters) async throws {
        let states = states
        server = try await DemoServer(folder: folder) { states.show($0, as: .server) }
        address = PageAddress(port: try ListeningAddress("127.0.0.1:0").port)
        let device = try DemoDevice(
            folder: folder, keyDerivation: keyDerivation, issuer: server.issuer, sensor: DemoSensor())
        let backend = DemoBackend(issuer: server.issuer, key: server.backendKey)
        phone = DemoPhone(
            device: device, backend: backend,
            operator: DemoOperator(administration: server.administration, user: backend.user))
        states.show([ServerEvent](), as: .server)
        watchPhone()
    }

    /// Serves until the process ends.
    ///
    /// - Parameter onListening: Called with the page's address and a one-time address, once the page can be opened.
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

    /// Draws the phone now, and again each time that it changes.
    private func watchPhone() {
        let view = withObservationTracking {
            PhoneView(phone)
        } onChange: { [weak self] in
            // This closure is called before the change, so the view is read in a later task.
            Task { @MainActor in self?.watchPhone() }
        }
        states.show(view, as: .phone)
    }
}
