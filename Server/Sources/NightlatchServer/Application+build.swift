import Crypto
public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
import NightlatchTokenVerification
public import NightlatchWire
import ServiceLifecycle

/// Builds a relying party that serves over HTTP, ready to run by itself or beside other services.
///
/// ```swift
/// let store = try SQLiteStore(path: "nightlatch.sqlite")
/// let application = try await buildApplication(
///     configuration: RelyingPartyConfiguration(issuer: issuer), store: store,
///     masterKey: try MasterKey.loadOrCreate(at: "master.key"), backendKey: try BackendKey.loadOrCreate(at: "backend.key"))
/// try await application.runService()
/// ```
///
/// - Parameters:
///   - configuration: What it is called, whom it knows, how long things live.
///   - store: What it remembers. Any number of processes may share one.
///   - masterKey: The same for all processes that share the store.
///   - backendKey: What the app's backend shows to get enrolment codes and to ask for decisions.
///   - adminKey: What an operator signs in to the console with, at `/console`; nil for no console.
///   - address: Where it listens.
///   - tls: What it speaks TLS with; nil if a proxy before it does.
///   - clock: Its time.
///   - logger: What it writes to. No token, code, key or message is ever logged.
///   - onListening: Called once, with the port, when requests are taken.
/// - Throws: ``RelyingPartyStartError``; nothing is served then.
public func buildApplication(
    configuration: RelyingPartyConfiguration,
    store: some RelyingPartyStore,
    masterKey: MasterKey,
    backendKey: BackendKey,
    adminKey: AdminKey? = nil,
    address: BindAddress = .hostname("127.0.0.1", port: 8080),
    tls: ServerTLS? = nil,
    clock: WallClock = .system,
    logger: Logger = Logger(label: "nightlatch"),
    onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
) async throws(RelyingPartyStartError) -> some ApplicationProtocol {
    CeremonyMetrics.prepare()
    ConnectionMetrics.prepare()
    let store = MeasuredStore(base: store)
    let keys = try await TokenKeys(
        relyingParty: configuration.issuer, clients: configuration.clients,
        schedule: SigningKeySchedule(
            accessTokenLife: configuration.accessTokenLife, signingKeyLife: configuration.signingKeyLife),
        store: store, masterKey: masterKey, now: clock.now())
    let refusals = RefusalTally()
    let router = buildRouter(
        configuration: configuration, store: store, masterKey: masterKey, backendKey: backendKey, adminKey: adminKey,
        clock: clock, keys: keys, refusals: refusals)
    var services: [any Service] = [
        PurgeService(store: store, guessLimit: configuration.guessLimit, keys: keys, clock: clock, logger: logger),
        RefusalAudit(tally: refusals, store: store, logger: logger),
    ]
    if let schedule = configuration.auditHeadSchedule {
        services.append(
            AuditHeadExport(
                store: store, key: AuditKey(masterKey: masterKey), schedule: schedule, clock: clock, logger: logger))
    }
    let responder = router.buildResponder()
    let channel = RequestChannel(
        responder: responder, limits: configuration.limits, idleTime: configuration.idleConnectionLife)
    return Application(
        responder: responder,
        server: HTTPServerBuilder { _ in
            guard let tls else { return channel }
            return TLSChannel(base: channel, tls: tls)
        },
        configuration: ApplicationConfiguration(address: address),
        services: services,
        onServerRunning: { channel in
            await channel.surviveAcceptErrors(logger: logger)
            await onListening(channel.localAddress?.port ?? 0)
        },
        logger: logger)
}

/// The routes of a relying party, by which a description of them can be checked.
package func buildRouter(
    configuration: RelyingPartyConfiguration,
    store: some RelyingPartyStore,
    masterKey: MasterKey,
    backendKey: BackendKey,
    adminKey: AdminKey?,
    clock: WallClock,
    keys: TokenKeys,
    refusals: RefusalTally
) -> RouteTable<RelyingPartyRequestContext> {
    let challenges = CeremonyChallenges(
        sealer: ChallengeSealer(masterKey: masterKey), life: configuration.challengeLife)
    let nonces = DPoPNonces(masterKey: masterKey)
    let nonceSource = NonceSource(nonces: nonces, clock: clock)
    let proofs = DPoPVerifier(server: configuration.issuer, nonces: nonces)
    let sessions = Sessions(store: store)
    let tokens = TokenGrants(keys: keys, refreshLife: configuration.refreshTokenLife)
    let limits = configuration.limits
    let login = LoginCeremony(
        store: store, challenges: challenges,
        verifier: LoginVerifier(relyingParty: configuration.issuer, clients: configuration.clients),
        proofs: proofs, tokens: tokens, accountLimit: limits.perAccount.map { TokenBuckets($0) },
        localPin: configuration.localPin, guessLimit: configuration.guessLimit, clock: clock)

    let access = DeviceAccess(sessions: sessions, keys: keys, proofs: proofs, clock: clock)
    let enrolment = EnrolmentCeremony(store: store, masterKey: masterKey, codeLife: configuration.enrolmentCodeLife)
    let backend = BackendAccess(key: backendKey)

    let router = RouteTable<RelyingPartyRequestContext>()
        .add(middleware: RefusalAnswers(form: .problem, tally: refusals))
    let readiness = Readiness(of: store)
    HealthRoutes(readiness: readiness).add(to: router)
    let concurrencyLimit = ConcurrencyLimit<RelyingPartyRequestContext>(limits.concurrentRequests)
    let addressLimit = AddressLimit<RelyingPartyRequestContext>(
        clientAddress: ClientAddress(trustedProxies: limits.trustedProxies),
        buckets: limits.perAddress.map { TokenBuckets($0) })
    let bounded = router.group().add(middleware: concurrencyLimit)
    EnrolmentRoutes(
        enrolment: enrolment, backend: backend
    ).add(to: bounded)
    let limited = bounded.group().add(middleware: addressLimit)
    let passwords = PasswordCheck(
        store: store, hasher: PasswordHasher(configuration.passwordHashing),
        answerTime: configuration.passwordHashing.answerTime)
    PasswordRoutes(passwords: passwords, enrolment: enrolment, backend: backend).add(to: limited)
    if let journeys = configuration.journeys {
        JourneyRoutes(
            configuration: journeys,
            journeys: JourneyCeremony(
                configuration: journeys, store: store,
                sessions: AuthenticationSessions(masterKey: masterKey, configuration: journeys),
                passwords: passwords, clock: clock),
            devices: JourneyDevices(configuration: journeys, store: store), backend: backend, refusals: refusals
        ).add(
            to: router.group().add(middleware: RefusalAnswers(form: .journey, tally: refusals)).add(
                middleware: concurrencyLimit
            )
            .add(middleware: addressLimit))
    }
    BindingRoutes(
        binding: BindingCeremony(
            store: store, challenges: challenges, masterKey: masterKey,
            verifier: BindingVerifier(relyingParty: configuration.issuer, clients: configuration.clients),
            activeDeviceLimit: configuration.activeDeviceLimit.count, policy: configuration.devicePolicy, clock: clock)
    ).add(to: limited)
    LoginRoutes(login: login, nonces: nonceSource).add(to: limited)
    TokenRoutes(
        login: login,
        refresh: RefreshExchange(
            store: store, proofs: proofs, tokens: tokens, clients: configuration.clients, clock: clock),
        revocation: TokenRevocation(store: store, keys: keys, proofs: proofs, clock: clock),
        inspection: TokenInspection(
            relyingParty: configuration.issuer, clients: configuration.clients, store: store, sessions: sessions,
            keys: keys, clock: clock),
        backend: backend, nonces: nonceSource, refusals: refusals
    ).add(to: router, limits: concurrencyLimit, addressLimit)
    PublishedRoutes(issuer: configuration.issuer, keys: keys, clock: clock).add(to: router)
    OpenAPIRoutes(issuer: configuration.issuer).add(to: limited)
    DeviceRoutes(
        access: access, devices: OwnDevices(store: store), nonces: nonceSource, refusals: refusals
    ).add(to: limited)
    TransactionRoutes(
        transactions: BackendTransactions(store: store, longestLife: configuration.longestTransactionLife),
        backend: backend
    ).add(to: bounded)
    DecisionRoutes(
        access: access,
        decisions: DecisionCeremony(
            store: store, challenges: challenges,
            verifier: DecisionVerifier(relyingParty: configuration.issuer, clients: configuration.clients), clock: clock
        ),
        nonces: nonceSource, refusals: refusals
    ).add(to: limited)
    PinRoutes(
        pins: PinCeremony(
            store: store, verifier: PinVerifier(relyingParty: configuration.issuer, clients: configuration.clients),
            hardener: PinHardener(masterKey: masterKey), masterKey: masterKey, guessLimit: configuration.guessLimit,
            clock: clock)
    ).add(to: limited)
    if let adminKey {
        ConsoleRoutes<RelyingPartyRequestContext>(
            adminKey: adminKey, masterKey: masterKey, configuration: configuration, store: store, readiness: readiness,
            clock: clock, refusals: refusals
        ).add(to: router, limits: concurrencyLimit, addressLimit)
    }
    return router
}
