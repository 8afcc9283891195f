import Hummingbird
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServer
import NightlatchWire
import ServiceLifecycle
import UnixSignals

/// A shop and its relying party in one process.
struct ShopServer: Sendable {
    let issuer: Issuer
    /// The folder of the database and the keys.
    var folder = "/var/lib/shop"
    var shopPort = 8080
    var partyPort = 8081
    /// Called by each server when it accepts connections.
    var onListening: @Sendable (_ server: String, _ port: Int) async -> Void = { print("\($0): port \($1)") }

    func relyingParty(over store: some RelyingPartyStore) async throws -> some ApplicationProtocol {
        var configuration = RelyingPartyConfiguration(issuer: issuer)
        configuration.devicePolicy = .one
        configuration.limits.trustedProxies = [AddressRange("10.0.0.0/8")].compactMap(\.self)
        return try await buildApplication(
            configuration: configuration, store: store,
            masterKey: MasterKey.loadOrCreate(at: folder + "/master.key"),
            backendKey: BackendKey.loadOrCreate(at: folder + "/backend.key"),
            address: .hostname("127.0.0.1", port: partyPort),
            onListening: { [onListening] port in await onListening("relying party", port) })
    }

    func shop() -> some ApplicationProtocol {
        let router = Router()
        router.get("articles") { _, _ in "lamps, curtains" }
        return Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: shopPort)),
            onServerRunning: { [onListening, shopPort] channel in
                await onListening("shop", channel.localAddress?.port ?? shopPort)
            })
    }

    /// Both servers. They stop in reverse order when the process gets one of the signals.
    func services(
        over store: some RelyingPartyStore, until signals: [UnixSignal] = [.sigterm, .sigint]
    ) async throws -> ServiceGroup {
        let party = try await relyingParty(over: store)
        return ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: party), .init(service: shop())], gracefulShutdownSignals: signals,
                logger: party.logger))
    }

    func run() async throws {
        let store = try SQLiteStore(path: folder + "/nightlatch.sqlite")
        try await services(over: store).run()
        try store.close()
    }
}
