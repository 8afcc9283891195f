import HTTPTypes
import Hummingbird
import NightlatchWire

/// The operators' console: pages that a browser shows without any script.
struct ConsoleRoutes<Context: RemoteAddressRequestContext> {
    let access: ConsoleAccess
    let renderer: ConsoleRenderer
    let administration: Administration
    let readiness: Readiness
    let configuration: RelyingPartyConfiguration
    let refusals: RefusalTally

    var links: ConsoleLinks { renderer.links }

    init(
        adminKey: AdminKey,
        masterKey: MasterKey,
        configuration: RelyingPartyConfiguration,
        store: some RelyingPartyStore,
        readiness: Readiness,
        clock: WallClock,
        refusals: RefusalTally
    ) {
        let sealer = ConsoleSessionSealer(masterKey: masterKey, adminKey: adminKey)
        access = ConsoleAccess(
            adminKey: adminKey, sealer: sealer, issuer: configuration.issuer, limits: configuration.limits,
            store: store, clock: clock)
        renderer = ConsoleRenderer(issuer: configuration.issuer, sealer: sealer)
        administration = Administration(of: store)
        self.readiness = readiness
        self.configuration = configuration
        self.refusals = refusals
    }

    /// Adds the pages. All other routes of `router` stand before them: the answers to methods that the console does not have are made
    /// last of all, and pass what is added to `router` here.
    func add(
        to router: some RouterMethods<Context>, limits: ConcurrencyLimit<Context>, _ addressLimit: AddressLimit<Context>
    ) {
        let router = router.add(middleware: ConsoleAnswers<Context>(renderer: renderer, refusals: refusals))
            .group(RouterPath(ConsolePath.root))
            .add(middleware: limits).add(middleware: addressLimit)
        addStyle(to: router)
        addSession(to: router)
        addUsers(to: router)
        addDevices(to: router)
        addJourneys(to: router)
        addTransactions(to: router)
        addAudit(to: router)
        addOverview(to: router)
        // What no route above takes.
        router.get("**") { _, _ throws -> Response in throw Refusal.notFound }
        router.post("**") { _, _ throws -> Response in throw Refusal.notFound }
    }

    private func addStyle(to router: some RouterMethods<Context>) {
        router.get(ConsolePath.style.pattern) { _, _ in
            // Its address changes with it.
            Response(
                status: .ok,
                headers: [
                    .contentType: "text/css; charset=utf-8", .cacheControl: "public, max-age=31536000, immutable",
                ],
                body: ResponseBody(byteBuffer: ByteBuffer(string: ConsoleStyle.sheet)))
        }
    }
}
