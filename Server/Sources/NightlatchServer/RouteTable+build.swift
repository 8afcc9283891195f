import Hummingbird
package import NightlatchRelyingParty
import NightlatchTokenVerification
package import NightlatchWire

/// Builds the routes of a relying party. Tests compare the table with the OpenAPI description.
package func buildRoutes(
    configuration: RelyingPartyConfiguration,
    store: any RelyingPartyStore,
    secrets: RelyingPartySecrets,
    backendKey: BackendKey,
    additions: [RouteAddition],
    clock: WallClock,
    keys: TokenKeys,
    refusals: RefusalTally
) -> RouteTable {
    let keyring = secrets.keyring
    let challenges = CeremonyChallenges(
        sealer: ChallengeSealer(keyring: keyring), life: configuration.challengeLife)
    let nonces = DPoPNonces(keyring: keyring)
    let nonceSource = NonceSource(nonces: nonces, clock: clock)
    let proofs = DPoPVerifier(server: configuration.issuer, nonces: nonces)
    let sessions = Sessions(store: store)
    let hasLoginPage = additions.contains(where: \.isLoginPage)
    let apps = AppRegistry(
        store: store, configured: configuration.clients.subtracting([.console]),
        console: hasLoginPage && additions.contains(where: \.isConsole) ? .console(of: configuration.issuer) : nil)
    let tokens = TokenGrants(keys: keys, refreshLife: configuration.refreshTokenLife)
    let limits = configuration.limits
    let pace = RefusalPace(step: configuration.refusalStep)
    let context = CeremonyContext(
        store: store, apps: apps, challenges: challenges, keyring: keyring, pace: pace, clock: clock)
    let answerKey = PinAnswerKey(secrets.kept, issuer: configuration.issuer)
    let policies = PolicyDelivery(store: store, key: answerKey, issuer: configuration.issuer)
    let login = LoginCeremony(
        in: context,
        verifier: LoginVerifier(relyingParty: configuration.issuer),
        proofs: proofs, tokens: tokens, policies: policies,
        limits: .init(
            account: limits.perAccount.map { TokenBuckets($0) }, localPin: configuration.localPin,
            guesses: configuration.guessLimit))

    let access = DeviceAccess(sessions: sessions, apps: apps, keys: keys, proofs: proofs, clock: clock)
    let enrolment = EnrolmentCeremony(store: store, keyring: keyring, codeLife: configuration.enrolmentCodeLife)

    let concurrencyLimit = ConcurrencyLimit(limits.concurrentRequests, keyring: keyring)
    let clientAddress = ClientAddress(trustedProxies: limits.trustedProxies)
    let addressLimit = AddressLimit(clientAddress: clientAddress, buckets: limits.perAddress.map { TokenBuckets($0) })
    // This limit applies only to log lines. Health requests are always answered: an orchestrator that shares an address
    // with a busy client must find out that the process is running.
    let healthLineLimit = AddressLimit(
        clientAddress: clientAddress, buckets: limits.perAddress.map { TokenBuckets($0) })
    let table = RouteTable(
        RefusalAnswers(form: .problem, tally: refusals), limitingOthersBy: addressLimit,
        isSecure: configuration.issuer.isSecure)
    let routes = table.root
    let readiness = Readiness(of: store, keyring: keyring)
    HealthRoutes(readiness: readiness).add(to: routes.limitingLines(by: healthLineLimit))
    let backend = BackendAccess(key: backendKey, keys: store, addressLimit: addressLimit)
    let bounded = routes.passing(concurrencyLimit)
    EnrolmentRoutes(
        enrolment: enrolment, backend: backend
    ).add(to: bounded)
    let limited = bounded.passing(addressLimit)
    let passwords = PasswordCheck(
        store: store, hasher: PasswordHasher(configuration.passwordHashing),
        answerTime: configuration.passwordHashing.answerTime)
    PasswordRoutes(passwords: passwords, enrolment: enrolment, backend: backend, clientAddress: clientAddress)
        .add(to: bounded, limited)
    let cookie = configuration.journeys.map {
        JourneyCookie(name: $0.cookieName, issuer: configuration.issuer)
    }
    if let journeys = configuration.journeys, let cookie {
        var ceremony = JourneyCeremony(
            configuration: journeys, store: store,
            sessions: AuthenticationSessions(keyring: keyring, configuration: journeys),
            passwords: passwords, pace: pace, clock: clock)
        ceremony.backend = BackendDecisions(
            issuer: configuration.issuer, keys: keys, transport: HTTPBackendTransport())
        JourneyRoutes(
            configuration: journeys, cookie: cookie,
            journeys: ceremony,
            devices: JourneyDevices(configuration: journeys, store: store),
            backend: BackendAccess(key: backendKey, keys: store, addressLimit: nil),
            clientAddress: clientAddress,
            refusals: refusals
        ).add(
            to: routes.passingAlways(RefusalAnswers(form: .journey, tally: refusals))
                .passing(concurrencyLimit).passing(addressLimit))
    }
    BindingRoutes(
        binding: BindingCeremony(
            in: context,
            verifier: BindingVerifier(relyingParty: configuration.issuer),
            activeDeviceLimit: configuration.activeDeviceLimit.count, policy: configuration.devicePolicy,
            answerKey: answerKey.publicKey, policies: policies)
    ).add(to: limited)
    LoginRoutes(login: login, nonces: nonceSource).add(to: limited)
    let appContext = AppContext(
        in: context, issuer: configuration.issuer, apps: apps, keys: keys, secrets: secrets, proofs: proofs)
    let authenticator = AppAuthenticator(in: appContext)
    let backchannel = BackchannelRequests(in: appContext, keyring: keyring)
    let exchange = AppTokenExchange(in: appContext, backchannel: backchannel)
    let appAccess = AppAccess(in: appContext)
    func openID(_ form: RefusalAnswers.Form) -> RouteGroup {
        routes.passing(NonceAnswers(source: nonceSource)).passingAlways(RefusalAnswers(form: form, tally: refusals))
            .passing(concurrencyLimit).passing(addressLimit)
    }
    let authorization = AuthorizationCeremony(in: appContext, journeys: configuration.journeys)
    let loginPage = LoginPageCeremony(in: appContext, authorization: authorization, keyring: keyring, pace: pace)
    let metadata = OpenIDMetadata(issuer: configuration.issuer, base: configuration.issuer.rawValue, paths: .own)
    OpenIDRoutes(
        issuer: configuration.issuer, metadata: metadata, authorization: authorization,
        authenticator: authenticator, exchange: exchange, backchannel: backchannel, access: appAccess,
        journeys: configuration.journeys,
        cookie: cookie,
        loginPage: hasLoginPage
            ? LoginPageEntrance(issuer: configuration.issuer, ceremony: loginPage, clientAddress: clientAddress) : nil
    ).add(
        to: openID(.openID), openID(.openIDResource),
        routes.passingAlways(RefusalAnswers(form: .openID, tally: refusals)).passing(addressLimit))
    TokenRoutes(
        login: login,
        refresh: RefreshExchange(
            store: store, proofs: proofs, tokens: tokens, policies: policies, apps: apps, clock: clock),
        revocation: TokenRevocation(store: store, apps: apps, keys: keys, proofs: proofs, clock: clock),
        inspection: TokenInspection(
            relyingParty: configuration.issuer, apps: apps, store: store, sessions: sessions,
            keys: keys, clock: clock),
        exchange: exchange, access: appAccess, authenticator: authenticator, backend: backend, nonces: nonceSource,
        refusals: refusals
    ).add(to: routes, limits: concurrencyLimit, addressLimit)
    PublishedRoutes(keys: keys, metadata: metadata, clock: clock)
        .add(to: routes.passing(addressLimit))
    OpenAPIRoutes(issuer: configuration.issuer).add(to: limited)
    DeviceRoutes(
        access: access, devices: OwnDevices(store: store), nonces: nonceSource, refusals: refusals
    ).add(to: limited)
    TransactionRoutes(
        transactions: BackendTransactions(store: store, longestLife: configuration.longestTransactionLife),
        backend: backend
    ).add(to: bounded)
    ProfileRoutes(profiles: BackendProfiles(store: store), backend: backend).add(to: bounded)
    PolicyRoutes(policies: BackendPolicies(store: store), backend: backend).add(to: bounded)
    AppRoutes(apps: BackendApps(store: store, registry: apps, clock: clock), backend: backend).add(to: bounded)
    AdministrationRoutes(
        store: store, backend: backend, clock: clock, keyring: keyring
    ).add(to: bounded)
    let decisionVerifier = DecisionVerifier(relyingParty: configuration.issuer)
    DecisionRoutes(
        access: access, decisions: DecisionCeremony(in: context, verifier: decisionVerifier), nonces: nonceSource,
        refusals: refusals
    ).add(to: limited)
    RemoteLoginRoutes(
        access: access, logins: RemoteLoginCeremony(in: context, verifier: decisionVerifier), nonces: nonceSource,
        refusals: refusals
    ).add(to: limited)
    PinRoutes(
        pins: PinCeremony(
            in: context, verifier: PinVerifier(relyingParty: configuration.issuer),
            evaluator: PinEvaluator(keyring: keyring), guessRounds: configuration.guessRounds),
        answerKey: answerKey, refusals: refusals
    ).add(to: limited)
    let shared = RouteAddition.SharedParts(
        configuration: configuration, store: store, apps: apps, keyring: keyring, readiness: readiness,
        clock: clock,
        refusals: refusals, concurrencyLimit: concurrencyLimit, addressLimit: addressLimit, loginPage: loginPage,
        hasLoginPage: hasLoginPage)
    for addition in additions { addition.add(routes, shared) }
    return table
}
