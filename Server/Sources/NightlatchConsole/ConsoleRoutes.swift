import HTTPTypes
import Hummingbird
public import NightlatchRelyingParty
public import NightlatchServer
public import NightlatchWire

extension RouteAddition {
    /// Returns the routes of the operators' console, at `/console`.
    ///
    /// With the login page, operators sign in with a phone, and do what their roles allow.
    ///
    /// - Parameter adminKey: The key with which a party signs in that may do everything. It is for emergencies if there
    ///   are operators.
    public static func console(adminKey: AdminKey) -> Self {
        Self(isConsole: true) { root, shared in
            ConsoleRoutes(adminKey: adminKey, shared: shared)
                .add(to: root, limits: shared.concurrencyLimit, shared.addressLimit)
        }
    }
}

/// The operators' console. Its pages use no scripts.
struct ConsoleRoutes {
    let access: ConsoleAccess
    let renderer: ConsoleRenderer
    let administration: Administration
    /// The apps as this process uses them.
    let registry: AppRegistry
    let clock: WallClock
    let readiness: Readiness
    let configuration: RelyingPartyConfiguration
    let refusals: RefusalTally
    let keyring: MasterKeyring
    /// Whether this process serves the login page, on which operators sign in.
    let hasLoginPage: Bool

    var links: ConsoleLinks { renderer.links }

    init(adminKey: AdminKey, shared: RouteAddition.SharedParts) {
        let (keyring, configuration) = (shared.keyring, shared.configuration)
        let sealer = ConsoleSessionSealer(keyring: keyring, adminKey: adminKey)
        access = ConsoleAccess(
            adminKey: adminKey, sealer: sealer, issuer: configuration.issuer, limits: configuration.limits,
            loginPage: shared.loginPage, store: shared.store, clock: shared.clock)
        renderer = ConsoleRenderer(issuer: configuration.issuer, sealer: sealer)
        administration = Administration(of: shared.store, by: .operator)
        registry = shared.apps
        clock = shared.clock
        readiness = shared.readiness
        self.configuration = configuration
        refusals = shared.refusals
        self.keyring = keyring
        hasLoginPage = shared.hasLoginPage
    }

    /// Adds the pages.
    func add(to routes: RouteGroup, limits: ConcurrencyLimit, _ addressLimit: AddressLimit) {
        let routes = routes.group(ConsolePath.root)
            .passingAlways(ConsoleAnswers(renderer: renderer, refusals: refusals))
            .passing(limits).passing(addressLimit)
        addStyle(to: routes)
        addSession(to: routes)
        addLists(to: routes)
        addExports(to: routes)
        addFind(to: routes)
        addUsers(to: routes)
        addUserData(to: routes)
        addDevices(to: routes)
        addJourneys(to: routes)
        addTransactions(to: routes)
        addApps(to: routes)
        addWebhooks(to: routes)
        addPolicies(to: routes)
        addOperators(to: routes)
        addOverview(to: routes)
        // Refuses paths that match no route above.
        routes.on("/**", .get) { _, _ throws -> Response in throw Refusal.notFound }
        routes.on("/**", .post) { _, _ throws -> Response in throw Refusal.notFound }
    }

    private func addStyle(to routes: RouteGroup) {
        routes.on(ConsolePath.style.rawValue, .get) { _, _ in ConsoleStyle.sheet.response }
    }
}
