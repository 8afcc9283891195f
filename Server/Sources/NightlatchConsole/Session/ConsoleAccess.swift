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
    private let store: any RelyingPartyStore
    private let clock: WallClock

    init(
        adminKey: AdminKey,
        sealer: ConsoleSessionSealer,
        issuer: Issuer,
        limits: RequestLimits,
        store: some RelyingPartyStore,
        clock: WallClock
    ) {
        self.adminKey = adminKey
        self.issuer = issuer
        self.sealer = sealer
        cookie = ConsoleCookie(issuer: issuer)
        clientAddress = ClientAddress(trustedProxies: limits.trustedProxies)
        attempts = limits.consoleSignIns.map { TokenBuckets($0) }
        self.store = store
        self.clock = clock
    }

    /// Returns the session of `request`.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - isOfAnyAge: Whether to accept a session that has expired. Signing out must work even if the server's clock
    ///     is ahead.
    /// - Throws: ``ConsoleRefusal`` `signedOut` or `sessionEnded`, or an error of the store.
    func admit(_ request: Request, ofAnyAge isOfAnyAge: Bool = false) async throws(ConsoleRefusal) -> ConsoleSession {
        guard let text = cookie.value(of: request) else { throw .signedOut }
        guard let session = sealer.open(text), isOfAnyAge || session.isAlive(at: clock.now()) else {
            throw .sessionEnded
        }
        let isEnded = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.isConsoleSessionEnded(session.id)
        }
        if isEnded { throw .sessionEnded }
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

    /// Ends `session`. After that, no process that shares the store accepts the session, from any client.
    func signOut(_ session: ConsoleSession) async throws(ConsoleRefusal) {
        try await ask { () async throws(RelyingPartyStoreError) in
            try await store.endConsoleSession(session.id, expiresAt: session.endsAt)
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
