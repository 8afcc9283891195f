import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// Lets operators in and keeps all others out.
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

    /// The session that `request` belongs to.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - isOfAnyAge: Whether a session is taken that is over by the clock. The clock may be ahead, so such a session can be signed out.
    /// - Throws: ``ConsoleRefusal`` `signedOut` or `sessionEnded`, or the store's.
    func admit(_ request: Request, ofAnyAge isOfAnyAge: Bool = false) async throws(ConsoleRefusal) -> ConsoleSession {
        guard let text = cookie.value(of: request) else { throw .signedOut }
        guard let session = sealer.open(text), isOfAnyAge || session.isAlive(at: clock.now()) else {
            throw .sessionEnded
        }
        let isEnded = try await ask { () async throws(StoreError) in
            try await store.isConsoleSessionEnded(session.id)
        }
        if isEnded { throw .sessionEnded }
        return session
    }

    /// Makes sure that `fields` are of a form that the console itself has shown to `session`.
    ///
    /// - Throws: ``ConsoleRefusal`` `formRefused`.
    func requireOwnForm(
        _ fields: FormFields,
        in request: Request,
        of session: ConsoleSession
    ) throws(ConsoleRefusal) {
        guard request.isFromOwnPage(of: issuer), let token = fields.fields["form_token"],
            ConstantTime.isEqual(token, sealer.formToken(of: session.id))
        else { throw .formRefused }
    }

    /// Begins a session for whoever shows the admin key. It is written into the audit log first.
    ///
    /// - Throws: ``ConsoleRefusal`` `formRefused` for another site's form, `adminKeyRefused`, `rateLimited`, or the store's.
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
        try await ask { () async throws(StoreError) in
            try await store.audit(AuditEvent(.consoleSignedIn, by: .operator))
        }
        return ConsoleSession(startedAt: clock.now())
    }

    /// Ends `session`: no process that shares the store takes it any more, whoever has it.
    func signOut(_ session: ConsoleSession) async throws(ConsoleRefusal) {
        try await ask { () async throws(StoreError) in
            try await store.endConsoleSession(session.id, expiresAt: session.endsAt)
        }
    }

    /// The cookie by which a browser keeps `session`.
    func cookie(for session: ConsoleSession) -> Cookie { cookie.set(sealer.seal(session)) }

    /// The cookie with which `session` goes on after a request; nil if the one that the browser has will do.
    func renewedCookie(for session: ConsoleSession) -> Cookie? {
        session.renewed(at: clock.now()).map(cookie(for:))
    }

    /// The cookie that has a browser forget its session.
    var removalCookie: Cookie { cookie.removal() }

    private func ask<Value>(_ verb: () async throws(StoreError) -> Value) async throws(ConsoleRefusal) -> Value {
        do {
            return try await verb()
        } catch {
            throw .refused(.store(error))
        }
    }
}
