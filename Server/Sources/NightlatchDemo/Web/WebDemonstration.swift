import Foundation
import Hummingbird
import Logging
import Nightlatch
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire
import Observation
import ServiceLifecycle

/// The interactive demonstration: the real server, a phone that runs the real client library, a page that shows both,
/// and a web shop whose users log in with the phone.
///
/// All parts run in this process and communicate over sockets of the loopback interface.
@MainActor
final class WebDemonstration {
    private let server: DemoServer
    private let phone: DemoPhone
    private let states = PageStates()
    private let address: PageAddress
    private let shop: DemoShop
    private let shopPort: Int
    /// The logins that browsers ask the phone to confirm.
    private let loginRequests: AsyncStream<Void>

    /// Creates the server, the phone and the page.
    ///
    /// - Parameters:
    ///   - folder: The existing folder for all files. The caller removes it afterwards.
    ///   - keyDerivation: The key derivation of the phone's PIN.
    init(folder: String, keyDerivation: KeyDerivationParameters) async throws {
        let states = states
        let camera = DemoCamera()
        let (loginRequests, requested) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.loginRequests = loginRequests
        server = try await DemoServer(folder: folder) {
            states.show($0, as: .server)
        } observe: { exchange in
            camera.look(at: exchange)
            if exchange.asksForLogin { requested.yield() }
        }
        address = PageAddress(port: try ListeningAddress("127.0.0.1:0").port)
        shopPort = try ListeningAddress("127.0.0.1:0").port
        guard let redirect = RedirectURI(rawValue: "http://127.0.0.1:\(shopPort)\(ShopRoutes.callbackPath)") else {
            throw CommandFailure(.defect, "the shop has no address")
        }
        shop = DemoShop(issuer: server.issuer, redirect: redirect)
        let device = try DemoDevice(
            folder: folder, keyDerivation: keyDerivation, issuer: server.issuer, sensor: DemoSensor())
        let backend = DemoBackend(issuer: server.issuer, key: server.backendKey)
        phone = DemoPhone(
            device: device, backend: backend, camera: camera,
            operator: DemoOperator(
                administration: server.administration, user: backend.user, shop: shop.app, events: server.events))
        states.show([ServerEvent](), as: .server)
        watchPhone()
    }

    /// Serves until the process ends.
    ///
    /// - Parameter onListening: Called with the page's address and a one-time address, once the page can be opened.
    func run(onListening: @escaping @Sendable (_ url: String, _ urlOnce: String) -> Void) async throws {
        let (phone, url, urlOnce) = (phone, address.url, address.urlOnce)
        let shopHost = "127.0.0.1:\(shopPort)"
        let routes = PageRoutes(address: address, states: states, shopAddress: "http://\(shopHost)/") {
            await phone.handle($0, text: $1)
        }
        let logger = Logger.demonstration
        let page = Application(
            router: routes.router(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: address.port)),
            onServerRunning: { _ in onListening(url, urlOnce) }, logger: logger)
        let site = Application(
            router: ShopRoutes(shop: shop, user: phone.backend.user, host: shopHost).router(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: shopPort)), logger: logger)
        let news = Task { [loginRequests] in
            for await _ in loginRequests { phone.learnOfRequest("A browser wants to log in. Log in here to see it.") }
        }
        defer { news.cancel() }
        try await ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: server.application), .init(service: site), .init(service: page)],
                logger: logger)
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
        if view.pad?.countdownSeconds != nil { phone.finish(.mistype) }
    }
}
