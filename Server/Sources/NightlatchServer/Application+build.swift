import Crypto
public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
public import NightlatchRelyingParty
import NightlatchTokenVerification
public import NightlatchWire
import ServiceLifecycle

/// Builds a relying party that serves over HTTP. Run it alone or as one service among others.
///
/// ```swift
/// let store = try SQLiteStore(path: "nightlatch.sqlite")
/// let application = try await buildApplication(
///     configuration: RelyingPartyConfiguration(issuer: issuer), store: store,
///     masterKey: try MasterKey.loadOrCreate(at: "master.key"),
///     backendKey: try BackendKey.loadOrCreate(at: "backend.key"))
/// try await application.runService()
/// ```
///
/// - Parameters:
///   - configuration: The issuer, the clients, and the lifetimes and limits.
///   - store: The database. Several processes may share a database.
///   - masterKey: The master key. All processes that share the store need the same key.
///   - otherMasterKey: A second master key, during a rotation. The store says which of the two seals.
///   - backendKey: The key that authenticates the app's backend when it requests enrolment codes and decisions.
///   - additions: Routes of other modules, such as the console of `NightlatchConsole`.
///   - address: The address to listen on.
///   - tls: The TLS certificate; nil if a proxy terminates TLS.
///   - clock: The wall clock.
///   - logger: The log. Each answered request is logged at level `info` with `hb.request.id`, `microseconds`, `route`
///     and `status`, unless a limit refused it. Tokens, codes, keys and messages are never logged.
///   - onListening: Called once, with the port, when the server accepts requests.
/// - Throws: `RelyingPartyStartError`. The server then does not start.
public func buildApplication(
    configuration: RelyingPartyConfiguration,
    store: some RelyingPartyStore,
    masterKey: MasterKey,
    otherMasterKey: MasterKey? = nil,
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
    let start = try await MasterKeyStart(
        MasterKeyring(masterKey, other: otherMasterKey), in: store, isReplacingLost: true)
    if let schedule = configuration.auditHeadSchedule {
        try await requireNoSetback(
            of: store, since: schedule.file, key: AuditKey(start.secrets.kept), logger: logger)
    }
    var secrets = start.secrets
    if start.isLost { secrets = try await start.record(in: store) }
    let keys = try await TokenKeys(
        relyingParty: configuration.issuer,
        schedule: SigningKeySchedule(
            accessTokenLife: configuration.accessTokenLife, signingKeyLife: configuration.signingKeyLife),
        store: store, keyring: secrets.keyring, now: clock.now())
    // After the signing keys, which show that the master key fits.
    if !start.isLost { secrets = try await start.record(in: store) }
    let watch = MasterKeyWatch(store: store, keyring: secrets.keyring, logger: logger)
    try await watch.begin()
    let refusals = RefusalTally()
    let routes = buildRoutes(
        configuration: configuration, store: store, secrets: secrets, backendKey: backendKey,
        additions: additions, clock: clock, keys: keys, refusals: refusals)
    // Services stop in reverse order: the export stops last, so its final run includes all audit entries.
    var services: [any Service] = []
    if let schedule = configuration.auditHeadSchedule {
        services.append(
            AuditHeadExport(
                store: store, key: AuditKey(secrets.kept), schedule: schedule, clock: clock, logger: logger))
    }
    services.append(
        PurgeService(
            store: store, guessLimit: configuration.guessLimit, keys: keys,
            timing: PurgeTiming(clock: clock, horizon: PurgeHorizon(configuration)), logger: logger))
    services.append(
        WebhookDeliveryService(
            store: store, masterKey: masterKey,
            transport: { [authorities = configuration.webhookAuthorities] in
                HTTPWebhookTransport(trusting: authorities)
            }, clock: clock, logger: logger))
    services.append(watch)
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

/// Refuses a store that is older than the heads that were exported from it.
private func requireNoSetback(
    of store: some RelyingPartyStore, since file: AuditHeadFile, key: AuditKey, logger: Logger
) async throws(RelyingPartyStartError) {
    var heads: [AuditHead] = []
    do {
        // Read before the store, which other processes extend.
        heads = try file.read(signedBy: key.publicKey).standingHeads
    } catch .missing {
        // Reported below.
    } catch {
        throw .auditHeads(error, file: file.path)
    }
    let findings: [AuditFinding]
    do {
        findings = try await store.missing(heads).map(\.finding)
        if heads.isEmpty, try await !store.auditHeads().isEmpty {
            logger.warning(
                "The file of audit heads has no head, so the age of the database is unknown",
                metadata: ["file": .string(file.path)])
        }
    } catch {
        throw .store(error)
    }
    guard findings.isEmpty else { throw .setBack(findings, file: file.path) }
}
