import Crypto
public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
public import NightlatchRelyingParty
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
///   - additions: Routes of other modules, such as the console of `NightlatchConsole`.
///   - address: Where it listens.
///   - tls: What it speaks TLS with; nil if a proxy before it does.
///   - clock: Its time.
///   - logger: Its log. An answered request is an event of level `info` with `hb.request.id`, `microseconds`, `route` and
///     `status`, unless a limit refuses it. No token, code, key or message is ever logged.
///   - onListening: Called once, with the port, when requests are taken.
/// - Throws: `RelyingPartyStartError`; nothing is served then.
public func buildApplication(
    configuration: RelyingPartyConfiguration,
    store: some RelyingPartyStore,
    masterKey: MasterKey,
    backendKey: BackendKey,
    additions: [RouteAddition] = [],
    address: BindAddress = .hostname("127.0.0.1", port: 8080),
    tls: ServerTLS? = nil,
    clock: WallClock = .system,
    logger: Logger = Logger(label: "nightlatch"),
    onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
) async throws(RelyingPartyStartError) -> some ApplicationProtocol {
    CeremonyMetrics.prepare()
    ConnectionMetrics.prepare()
    StoreMetrics.prepare()
    let keys = try await TokenKeys(
        relyingParty: configuration.issuer, clients: configuration.clients,
        schedule: SigningKeySchedule(
            accessTokenLife: configuration.accessTokenLife, signingKeyLife: configuration.signingKeyLife),
        store: store, masterKey: masterKey, now: clock.now())
    let refusals = RefusalTally()
    let routes = buildRoutes(
        configuration: configuration, store: store, masterKey: masterKey, backendKey: backendKey,
        additions: additions, clock: clock, keys: keys, refusals: refusals)
    // Stopped from the last to the first: the heads that are exported at the stop are to have all that was written before.
    var services: [any Service] = []
    if let schedule = configuration.auditHeadSchedule {
        services.append(
            AuditHeadExport(
                store: store, key: AuditKey(masterKey: masterKey), schedule: schedule, clock: clock, logger: logger))
    }
    services.append(
        PurgeService(
            store: store, guessLimit: configuration.guessLimit, keys: keys, clock: clock,
            horizon: PurgeHorizon(configuration), logger: logger))
    services.append(RefusalAudit(tally: refusals, store: store, logger: logger))
    let limitLog = LimitLog(logger: logger)
    services.append(limitLog)
    let responder = routes.buildResponder(
        logger: logger, limitLog: limitLog, limitDelay: AnswerDelay(configuration.limits.answerDelay))
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
