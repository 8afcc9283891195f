import Crypto
public import Hummingbird
public import Logging
import NIOCore
import NightlatchTokenVerification
public import NightlatchWire

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
///   - backendKey: What the app's backend shows to get enrolment codes.
///   - address: Where it listens.
///   - clock: Its time.
///   - logger: What it writes to. No token, code, key or message is ever logged.
///   - onListening: Called once, with the port, when requests are taken.
/// - Throws: ``RelyingPartyStartError``; nothing is served then.
public func buildApplication(
    configuration: RelyingPartyConfiguration,
    store: some RelyingPartyStore,
    masterKey: MasterKey,
    backendKey: BackendKey,
    address: BindAddress = .hostname("127.0.0.1", port: 8080),
    clock: WallClock = .system,
    logger: Logger = Logger(label: "nightlatch"),
    onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
) async throws(RelyingPartyStartError) -> some ApplicationProtocol {
    let keys = try await TokenKeys(
        relyingParty: configuration.issuer, clients: configuration.clients,
        schedule: SigningKeySchedule(
            accessTokenLife: configuration.accessTokenLife, signingKeyLife: configuration.signingKeyLife),
        store: store, masterKey: masterKey, now: clock.now())
    let router = buildRouter(
        configuration: configuration, store: store, masterKey: masterKey, backendKey: backendKey, clock: clock,
        keys: keys)
    return Application(
        router: router,
        server: .http1(configuration: .init(idleTimeout: TimeAmount(configuration.idleConnectionLife))),
        configuration: ApplicationConfiguration(address: address),
        services: [PurgeService(store: store, keys: keys, clock: clock, logger: logger)],
        onServerRunning: { channel in await onListening(channel.localAddress?.port ?? 0) },
        logger: logger)
}

private func buildRouter(
    configuration: RelyingPartyConfiguration,
    store: some RelyingPartyStore,
    masterKey: MasterKey,
    backendKey: BackendKey,
    clock: WallClock,
    keys: TokenKeys
) -> Router<BasicRequestContext> {
    let challenges = CeremonyChallenges(
        sealer: ChallengeSealer(masterKey: masterKey), life: configuration.challengeLife)
    let nonces = DPoPNonces(masterKey: masterKey)
    let nonceSource = NonceSource(nonces: nonces, clock: clock)
    let proofs = DPoPVerifier(server: configuration.issuer, nonces: nonces)
    let sessions = Sessions(store: store)
    let tokens = TokenGrants(keys: keys, refreshLife: configuration.refreshTokenLife)
    let login = LoginCeremony(
        store: store, challenges: challenges,
        verifier: LoginVerifier(relyingParty: configuration.issuer, clients: configuration.clients),
        proofs: proofs, tokens: tokens, clock: clock)

    let router = Router(context: BasicRequestContext.self)
    router.add(middleware: RequestLog())
    router.add(middleware: RefusalAnswers(form: .problem))
    HealthRoutes(readiness: Readiness(of: store)).add(to: router)
    EnrolmentRoutes(
        enrolment: EnrolmentCeremony(
            store: store, masterKey: masterKey, codeLife: configuration.enrolmentCodeLife),
        backendKey: backendKey
    ).add(to: router)
    PasswordRoutes(
        passwords: PasswordCheck(
            store: store, hasher: PasswordHasher(configuration.passwordHashing),
            answerTime: configuration.passwordHashing.answerTime),
        enrolment: EnrolmentCeremony(
            store: store, masterKey: masterKey, codeLife: configuration.enrolmentCodeLife),
        backendKey: backendKey
    ).add(to: router)
    BindingRoutes(
        binding: BindingCeremony(
            store: store, challenges: challenges, masterKey: masterKey,
            verifier: BindingVerifier(relyingParty: configuration.issuer, clients: configuration.clients),
            activeDeviceLimit: configuration.activeDeviceLimit.count, clock: clock)
    ).add(to: router)
    LoginRoutes(login: login, nonces: nonceSource).add(to: router)
    TokenRoutes(
        login: login,
        refresh: RefreshExchange(
            store: store, proofs: proofs, tokens: tokens, clients: configuration.clients, clock: clock),
        revocation: TokenRevocation(store: store, keys: keys, proofs: proofs, clock: clock),
        inspection: TokenInspection(
            relyingParty: configuration.issuer, clients: configuration.clients, store: store, sessions: sessions,
            keys: keys, clock: clock),
        backendKey: backendKey, nonces: nonceSource
    ).add(to: router)
    PublishedRoutes(issuer: configuration.issuer, keys: keys, clock: clock).add(to: router)
    DeviceRoutes(
        access: DeviceAccess(sessions: sessions, keys: keys, proofs: proofs, clock: clock),
        devices: OwnDevices(store: store), nonces: nonceSource
    ).add(to: router)
    return router
}
