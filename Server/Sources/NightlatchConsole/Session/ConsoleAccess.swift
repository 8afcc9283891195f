import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// Signs operators in and out, and checks their sessions and forms.
struct ConsoleAccess: Sendable {
    private let adminKey: AdminKey
    private let issuer: Issuer
    private let sealer: ConsoleSessionSealer
    private let cookie: ConsoleCookie
    private let clientAddress: ClientAddress
    private let attempts: TokenBuckets?
    private let loginPage: LoginPageCeremony
    private let store: any RelyingPartyStore
    private let clock: WallClock

    init(
        adminKey: AdminKey,
        sealer: ConsoleSessionSealer,
        issuer: Issuer,
        limits: RequestLimits,
        loginPage: LoginPageCeremony,
        store: some RelyingPartyStore,
        clock: WallClock
    ) {
        self.adminKey = adminKey
        self.issuer = issuer
        self.sealer = sealer
        cookie = ConsoleCookie(issuer: issuer)
        clientAddress = ClientAddress(trustedProxies: limits.trustedProxies)
        attempts = limits.consoleSignIns.map { TokenBuckets($0) }
        self.loginPage = loginPage
        self.store = store
        self.clock = clock
    }

    /// Returns the party that the session of `request` belongs to.
    ///
    /// The operator is read at each request, so a removal and another role have an effect from the next request on. The
    /// session of a person ends with the session that the phone confirmed, so also with its device and its user.
    ///
    /// - Throws: ``ConsoleRefusal`` `signedOut` or `sessionEnded`, or an error of the store.
    func admit(_ request: Request) async throws(ConsoleRefusal) -> ConsoleCaller {
        guard let text = cookie.value(of: request) else { throw .signedOut }
        guard let session = sealer.open(text), session.isAlive(at: clock.now()) else { throw .sessionEnded }
        let isEnded = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.isConsoleSessionEnded(session.id)
        }
        if isEnded { throw .sessionEnded }
        guard let signIn = session.signIn else { return ConsoleCaller(session: session, person: nil) }
        let person = try await ask { () async throws(RelyingPartyStoreError) -> Operator? in
            guard let confirmed = try await store.journeySession(signIn) else { return nil }
            return try await store.operatorRecord(of: confirmed.user)
        }
        guard let person else { throw .sessionEnded }
        return ConsoleCaller(session: session, person: person)
    }

    /// Returns the session of `request`, also one that has expired: signing out must work even if the server's clock is
    /// ahead.
    ///
    /// - Throws: ``ConsoleRefusal`` `signedOut`, or `sessionEnded` for a session that is not genuine.
    func sessionOfAnyAge(_ request: Request) throws(ConsoleRefusal) -> ConsoleSession {
        guard let text = cookie.value(of: request) else { throw .signedOut }
        guard let session = sealer.open(text) else { throw .sessionEnded }
        return session
    }

    /// Checks that the form is one that the console has shown in `session`.
    ///
    /// - Throws: ``ConsoleRefusal`` `formRefused`.
    func requireOwnForm(
        _ fields: FormFields,
        in request: Request,
        of session: ConsoleSession
    ) throws(ConsoleRefusal) {
        guard request.isFromOwnPage(of: issuer), let token = fields.fields["form_token"],
            sealer.isFormToken(token, of: session.id)
        else { throw .formRefused }
    }

    /// Begins a session for a request with the admin key. The sign-in is written to the audit log first.
    ///
    /// - Throws: ``ConsoleRefusal`` `formRefused` for a form of another site, `adminKeyRefused`, `rateLimited`, or an
    ///   error of the store.
    func signIn(
        _ request: Request,
        _ context: RelyingPartyRequestContext
    ) async throws(ConsoleRefusal) -> ConsoleSession {
        guard request.isFromOwnPage(of: issuer) else { throw .formRefused }
        let address = clientAddress.address(of: request, from: context.remoteAddress)
        if let wait = attempts?.take(for: address?.customer) {
            throw .refused(.rateLimited(retryAfter: wait))
        }
        let key = try context.formFields(of: request).fields["key"].flatMap(AdminKey.init(text:))
        guard let key, ConstantTime.isEqual(key.rawValue, adminKey.rawValue) else { throw .adminKeyRefused }
        try await ask { () async throws(RelyingPartyStoreError) in
            try await store.audit(AuditEvent(.consoleSignedIn, by: .operator))
        }
        return ConsoleSession(startedAt: clock.now())
    }

    /// Begins a sign-in with a phone.
    ///
    /// - Returns: The address of the login page below the issuer, and the cookie with the secret of this browser.
    /// - Throws: ``ConsoleRefusal`` `formRefused` for a form of another site.
    func beginSignIn(
        _ request: Request, _ context: RelyingPartyRequestContext
    ) throws(ConsoleRefusal) -> (address: String, cookie: Cookie) {
        guard request.isFromOwnPage(of: issuer) else { throw .formRefused }
        let secret = BrowserCookie.secret(of: issuer)
        do {
            let (handle, value) = try loginPage.beginSignIn(
                place: clientAddress.place(of: request, context),
                browser: secret.value(in: request).flatMap(BrowserSecret.init))
            return (issuer.path + LoginPagePath.page.address(handle), secret.set(value.text))
        } catch {
            throw .refused(error)
        }
    }

    /// Begins a session after a phone has confirmed. The sign-in is written to the audit log first.
    ///
    /// The handle of the login page works only once, and only with the secret of the browser that began. So an address
    /// that someone else sends leads to no session.
    ///
    /// - Throws: ``ConsoleRefusal`` `noOperator`; `signInEnded` if the login is not confirmed or was used; `refused` with
    ///   `notFound` if the handle belongs to another browser or to an app; or an error of the store.
    func finishSignIn(_ request: Request) async throws(ConsoleRefusal) -> ConsoleSession {
        guard let handle = try request.pageFields().fields[LoginPagePath.handleField].map(LoginPageHandle.init) else {
            throw .refused(.notFound)
        }
        let browser = BrowserCookie.secret(of: issuer).value(in: request).flatMap(BrowserSecret.init)
        let found: (person: Operator, session: JourneySessionHash)?
        do {
            found = try await loginPage.signIn(handle, browser: browser)
        } catch {
            switch error {
            case .noOperator: throw .noOperator
            case .refused(let refusal): throw .refused(refusal)
            }
        }
        guard let found else { throw .signInEnded }
        try await ask { () async throws(RelyingPartyStoreError) in
            try await store.audit(AuditEvent(.consoleSignedIn, by: found.person.party))
        }
        return ConsoleSession(startedAt: clock.now(), signIn: found.session)
    }

    /// Ends `session`. After that, no process that shares the store accepts the session, from any client.
    func signOut(_ session: ConsoleSession) async throws(ConsoleRefusal) {
        try await ask { () async throws(RelyingPartyStoreError) in
            try await store.endConsoleSession(session.id, expiresAt: session.endsAt)
            if let signIn = session.signIn { try await store.endJourneySession(signIn) }
        }
    }

    /// Returns the cookie that stores `session` in the browser.
    func cookie(for session: ConsoleSession) -> Cookie { cookie.set(sealer.seal(session)) }

    /// Returns a cookie that extends `session` after a request; nil if the browser's cookie is still recent enough.
    func renewedCookie(for session: ConsoleSession) -> Cookie? {
        session.renewed(at: clock.now()).map(cookie(for:))
    }

    /// The cookie that makes the browser delete its session cookie.
    var removalCookie: Cookie { cookie.removal() }

    private func ask<Value>(
        _ verb: () async throws(RelyingPartyStoreError) -> Value
    ) async throws(ConsoleRefusal) -> Value {
        do {
            return try await verb()
        } catch {
            throw .refused(.store(error))
        }
    }
}
