import CoreMetrics
import NightlatchTokenVerification
package import NightlatchWire

/// The login page: a browser without a session waits until a bound device of its user has confirmed the login.
///
/// ``begin(_:place:browser:)`` gives a page with a QR code and a number. The user scans the code or enters their name;
/// then the device shows the request. The device asks for the number, which it was not told, and signs its decision
/// (``RemoteLoginCeremony``). When the user has confirmed, ``proceed(_:browser:)`` begins a session for the browser and
/// answers the authorization request.
///
/// Every operation needs the secret of the browser that began. So a link to a page is useless in another browser, and a
/// user cannot be made to continue with a login that another browser began.
package struct LoginPageCeremony: Sendable {
    private let context: AppContext
    private let authorization: AuthorizationCeremony
    private let handles: LoginPageHandles
    private let codes: RemoteLoginCodes
    private let pace: RefusalPace

    /// The lifetime of the session that a browser gets.
    package static let sessionLife: Duration = .seconds(8 * 60 * 60)

    package init(
        in context: AppContext, authorization: AuthorizationCeremony, keyring: MasterKeyring, pace: RefusalPace
    ) {
        self.context = context
        self.authorization = authorization
        // Longer than a commit: the time of an answer must not show whether the user exists.
        self.pace = RefusalPace(step: pace.step * 30)
        handles = LoginPageHandles(keyring: keyring)
        codes = RemoteLoginCodes(keyring: keyring)
    }

    /// Begins a login page. Writes nothing.
    ///
    /// - Parameters:
    ///   - waiting: The authorization request.
    ///   - place: The browser's address.
    ///   - browser: The secret that the browser already has; nil for none.
    /// - Returns: The page, and the secret that its browser must keep.
    package func begin(
        _ waiting: WaitingAuthorization, place: RemoteLoginPlace?, browser: BrowserSecret?
    ) throws(Refusal) -> (LoginPageHandle, BrowserSecret) {
        try begin(waiting.fields, client: waiting.request.app.id, place: place, browser: browser ?? .random())
    }

    /// Begins the page again, with a new number, after its login has ended.
    ///
    /// - Throws: ``Refusal`` `notFound`, as the other operations, if the page belongs to another browser.
    package func beginAgain(
        _ handle: LoginPageHandle, place: RemoteLoginPlace?, browser: BrowserSecret?
    ) throws(Refusal) -> LoginPageHandle {
        let content = try open(handle, browser)
        guard let browser else { throw .notFound }
        return try begin(content.fields, client: content.offer.client, place: place, browser: browser).0
    }

    private func begin(
        _ fields: [String: String], client: ClientID, place: RemoteLoginPlace?, browser: BrowserSecret
    ) throws(Refusal) -> (LoginPageHandle, BrowserSecret) {
        let now = context.clock.now()
        let content = LoginPageContent(
            offer: OfferedRemoteLogin(
                id: .random(), client: client, place: place, number: .random(), requestedAt: now,
                expiresAt: now + RemoteLogin.life),
            fields: fields.filter { !WaitingAuthorization.secrets.contains($0.key) }, browser: browser)
        return (try handles.seal(content), browser)
    }

    /// Begins a page for a sign-in to this server's console. Writes nothing.
    ///
    /// - Parameters:
    ///   - place: The browser's address.
    ///   - browser: The secret that the browser already has; nil for none.
    /// - Returns: The page, and the secret that its browser must keep.
    package func beginSignIn(
        place: RemoteLoginPlace?, browser: BrowserSecret?
    ) throws(Refusal) -> (LoginPageHandle, BrowserSecret) {
        try begin([:], client: .console, place: place, browser: browser ?? .random())
    }

    /// The page in its current state. Writes nothing.
    ///
    /// - Throws: ``Refusal`` `notFound` if the handle is unknown or belongs to another browser; `appUnknown` if the app
    ///   was removed.
    package func page(_ handle: LoginPageHandle, browser: BrowserSecret?) async throws(Refusal) -> LoginPage {
        let content = try open(handle, browser)
        let now = context.clock.now()
        let known = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.remoteLogin(content.offer.id)
        }
        let app = try await name(of: content.offer.client, now: now)
        // After a name was entered, the page's own time counts: that of the login would tell whether the user exists.
        let expiresAt = content.hasUser ? content.offer.expiresAt : known?.details.expiresAt ?? content.offer.expiresAt
        let state: LoginPage.State
        if let known, known.state != .pending, known.state != .expired {
            state = LoginPage.State(ended: known.state)
        } else if now > expiresAt {
            state = .ended(.expired)
        } else if known != nil || content.hasUser {
            state = .waiting
        } else {
            state = .offered(try codes.seal(content.offer), userHint: content.fields["login_hint"].flatMap(UserID.init))
        }
        return LoginPage(
            app: app, isOfConsole: content.offer.client == .console, number: content.offer.number, state: state,
            expiresAt: expiresAt)
    }

    /// Shows the login to the devices of `user`, as the user of the browser asked.
    ///
    /// Whether there is such a user, and whether the login was shown, remains unknown: the page waits in any case, and
    /// the answer takes the same time. At most three such logins wait for a user
    /// (``RemoteLogin/requestLimit``).
    package func ask(
        _ user: UserID, on handle: LoginPageHandle, browser: BrowserSecret?
    ) async throws(Refusal) -> LoginPageHandle {
        let start = ContinuousClock.now
        var content = try open(handle, browser)
        let now = context.clock.now()
        guard !content.hasUser, now <= content.offer.expiresAt else { return handle }
        let app = try await name(of: content.offer.client, now: now)
        content.offer = content.offer.naming(user, at: now)
        let login = content.offer.login(of: user, to: app, isClaimed: false)
        _ = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.openRemoteLogin(login)
        }
        content.hasUser = true
        await pace.rest(since: start)
        return try handles.seal(content)
    }

    /// Continues after the user has confirmed: begins a session, and answers the authorization request with a code.
    ///
    /// Only one call succeeds. If the response is lost, the user begins again.
    ///
    /// - Returns: The answer and the token of the session; nil if the login is not confirmed, or is completed already.
    /// - Throws: ``Refusal`` `appUnknown` if the app was removed; `redirectURIRefused` or `authorizationRefused` if it
    ///   no longer permits the request, or if its `id_token_hint` names another user; `notFound` if the page belongs to
    ///   another browser. The page then explains that the user begins again at the app.
    package func proceed(
        _ handle: LoginPageHandle, browser: BrowserSecret?
    ) async throws(Refusal) -> (AuthorizationAnswer, JourneyToken)? {
        let content = try open(handle, browser)
        let request = try await authorization.resume(content.fields, of: content.offer.client)
        if let expected = request.expectedUser {
            let known = try await answer { () async throws(RelyingPartyStoreError) in
                try await context.store.remoteLogin(content.offer.id)
            }
            guard known?.user == expected else {
                throw .authorizationRefused(.loginRequired, "Another user than the expected one has confirmed.")
            }
        }
        let (token, code) = (JourneyToken.random(), Challenge.random())
        let completion = RemoteLoginCompletion(
            login: content.offer.id, session: token.hash, sessionLife: Self.sessionLife, scopes: request.scopes,
            possessionKey: request.possessionKey,
            access: .code(
                AuthorizationCodeHash(code), redirectURI: request.target.uri, challenge: request.challenge,
                nonce: request.nonce))
        let outcome = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.completeRemoteLogin(completion)
        }
        guard case .code = outcome else { return nil }
        CeremonyMetrics.remoteLogins.increment()
        return (AuthorizationAnswer([("code", code.rawValue)], to: request.target, from: context.issuer), token)
    }

    /// Continues with a confirmed sign-in to the console: begins the session on which the console's session depends.
    ///
    /// Only one call succeeds. If the response is lost, the operator begins again. A user who is no operator is refused
    /// before anything is written.
    ///
    /// - Returns: The operator, and the hash of the new session, whose token is dropped; nil if the login is not
    ///   confirmed, was completed already, or its device is stopped.
    /// - Throws: ``ConsoleSignInError``.
    package func signIn(
        _ handle: LoginPageHandle, browser: BrowserSecret?
    ) async throws(ConsoleSignInError) -> (person: Operator, session: JourneySessionHash)? {
        let content: LoginPageContent
        do {
            content = try open(handle, browser)
        } catch {
            throw .refused(error)
        }
        guard content.offer.client == .console else { throw .refused(.notFound) }
        let person: Operator?
        do throws(RelyingPartyStoreError) {
            guard let login = try await context.store.remoteLogin(content.offer.id), login.state == .confirmed else {
                return nil
            }
            person = try await context.store.operatorRecord(of: login.user)
        } catch {
            throw .refused(.store(error))
        }
        guard let person else { throw .noOperator }
        do throws(RelyingPartyStoreError) {
            let completion = RemoteLoginCompletion(
                login: content.offer.id, session: JourneyToken.random().hash, sessionLife: ConsoleSession.longestLife,
                scopes: [], possessionKey: nil, access: .console)
            guard case .console = try await context.store.completeRemoteLogin(completion) else { return nil }
            CeremonyMetrics.remoteLogins.increment()
            return (person, completion.session)
        } catch {
            throw .refused(.store(error))
        }
    }

    /// Answers the authorization request with an error, because the user gave up.
    package func cancel(
        _ handle: LoginPageHandle, browser: BrowserSecret?
    ) async throws(Refusal) -> AuthorizationAnswer {
        let content = try open(handle, browser)
        let request = try await authorization.resume(content.fields, of: content.offer.client)
        return AuthorizationAnswer(
            AuthorizationError(.accessDenied, "The user did not log in."), to: request.target, from: context.issuer)
    }

    private func name(of client: ClientID, now: NumericDate) async throws(Refusal) -> AppName {
        let name = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.apps.name(of: client, now: now)
        }
        guard let name else { throw .appUnknown }
        return name
    }

    private func open(_ handle: LoginPageHandle, _ browser: BrowserSecret?) throws(Refusal) -> LoginPageContent {
        guard let content = handles.open(handle, at: context.clock.now()), content.belongs(to: browser) else {
            throw .notFound
        }
        return content
    }
}

/// The reason why a sign-in to the console had no effect.
package enum ConsoleSignInError: Error, Hashable, Sendable {
    /// The user who confirmed is no operator.
    case noOperator
    case refused(Refusal)
}

/// A login page, to be shown.
package struct LoginPage: Hashable, Sendable {
    /// The app that the user wants to log in to.
    package let app: AppName
    /// Whether the login is a sign-in to this server's console. Only ``LoginPageCeremony/signIn(_:browser:)`` then
    /// continues with it, and no app gets an answer.
    package let isOfConsole: Bool
    /// The number that the user must enter on the device.
    package let number: RemoteLoginNumber
    package var state: State
    package let expiresAt: NumericDate

    package enum State: Hashable, Sendable {
        /// The user may scan the code, or enter their name. The hint is the name that the app expects.
        case offered(RemoteLoginCode, userHint: UserID?)
        /// The device shows the request, or no device does: the user's name may be wrong.
        case waiting
        /// The user confirmed: call ``LoginPageCeremony/proceed(_:browser:)``.
        case confirmed
        /// The login has ended: the user may begin again, or return to the app.
        case ended(End)

        /// The state of a login that no longer waits.
        init(ended state: RemoteLoginState) {
            switch state {
            case .confirmed: self = .confirmed
            case .rejected: self = .ended(.rejected)
            case .numberWrong: self = .ended(.numberWrong)
            case .contested: self = .ended(.contested)
            case .completed: self = .ended(.completed)
            case .expired, .pending: self = .ended(.expired)
            }
        }
    }

    /// The end of a login that gave this browser no session.
    package enum End: String, Hashable, Sendable, CaseIterable {
        case rejected
        case numberWrong = "number_wrong"
        /// Devices of two users scanned the code.
        case contested
        case expired
        /// The browser has continued before, for example in another tab.
        case completed
        /// The user confirmed, but the device was blocked, revoked or replaced since.
        case deviceStopped = "device_stopped"
    }
}
