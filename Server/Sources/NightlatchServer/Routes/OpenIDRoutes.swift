import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NightlatchRelyingParty
import NightlatchWire

/// The routes of OpenID Connect, at Nightlatch's own paths and at PingAM's.
///
/// Nightlatch's paths for tokens, revocation and introspection are those of ``TokenRoutes``, which serve apps too.
struct OpenIDRoutes {
    let issuer: Issuer
    /// The metadata with Nightlatch's own paths.
    let metadata: OpenIDMetadata
    let authorization: AuthorizationCeremony
    let authenticator: AppAuthenticator
    let exchange: AppTokenExchange
    let backchannel: BackchannelRequests
    let access: AppAccess
    /// The journeys whose sessions are accepted; nil if there are none.
    let journeys: JourneyConfiguration?
    let cookie: JourneyCookie?
    /// The way to the login page; nil if there is none.
    let loginPage: LoginPageEntrance?

    /// Adds the routes.
    ///
    /// - Parameters:
    ///   - routes: The group of limited routes.
    ///   - resources: The group of limited routes that are called with an access token.
    ///   - published: The group of routes whose answers may be cached.
    func add(to routes: RouteGroup, _ resources: RouteGroup, _ published: RouteGroup) {
        let own = OpenIDMetadata.Paths.own
        publish(metadata, at: "", in: published)
        addAuthorization(to: routes, at: own)
        addRequests(to: routes, at: own)
        addAccess(to: resources, at: own)
        guard let journeys else { return }
        for context in ["", journeys.contextPath].compactMap(\.self) {
            let long = "/oauth2/realms/root/realms/"
            let names = OpenIDMetadata.Paths.pingAM
            let metadata = OpenIDMetadata(
                issuer: issuer, base: issuer.rawValue + context + long + journeys.realm.name, paths: names)
            for realm in [long + ":realm", "/oauth2/realms/:realm", "/oauth2/:realm", "/oauth2"] {
                publish(metadata, at: context + realm, in: published)
                let group = routes.group(context + realm)
                addAuthorization(to: group, at: names)
                addRequests(to: group, at: names)
                addAccess(to: resources.group(context + realm), at: names)
                addTokens(to: group, at: names)
            }
            routes.refuseOthers(under: context + "/oauth2")
        }
    }

    private func publish(_ metadata: OpenIDMetadata, at path: String, in routes: RouteGroup) {
        let journeys = journeys
        routes.on(path + "/.well-known/openid-configuration", .get) { request, context in
            try journeys?.requireOpenID(request, context)
            return try JSONAnswer(metadata).publicResponse(from: request, context: context)
        }
    }

    private func addAuthorization(to routes: RouteGroup, at names: OpenIDMetadata.Paths) {
        let (authorization, journeys, access, loginPage) = (authorization, journeys, access, loginPage)
        let sessions = BrowserSessions(journey: cookie, browser: .session(of: issuer))
        @Sendable func authorize(
            _ fields: [String: String], _ request: Request, _ context: RelyingPartyRequestContext
        ) async throws -> Response {
            try journeys?.requireOpenID(request, context)
            if sessions.journey?.header(in: request) == nil,
                let navigation = loginPage?.navigation(for: request, fields)
            {
                return navigation
            }
            let answer: AuthorizationAnswer
            switch try await authorization.authorize(fields, sessions: sessions.tokens(in: request)) {
            case .answered(let found): answer = found
            case .loginRequired(let waiting, let found):
                if let page = try loginPage?.response(for: waiting, to: request, context) { return page }
                answer = found
            }
            if let error = answer.error {
                context.logger.info("Refused an authorization", metadata: ["error": .string(error)])
            }
            return answer.response
        }
        routes.on(names.authorization, .get) { request, context in
            try await authorize(request.queryFields(), request, context)
        }
        routes.on(names.authorization, .post) { request, context in
            try await authorize(context.form(of: request).fields, request, context)
        }
        @Sendable func endSession(
            _ fields: [String: String], _ request: Request, _ context: RelyingPartyRequestContext
        ) async throws -> Response {
            try journeys?.requireOpenID(request, context)
            let ended = try await access.endSession(fields)
            var response = Response(status: ended.location == nil ? .noContent : .found)
            response.headers[.location] = ended.location
            for cookie in sessions.removals(in: request, of: ended) { response.setCookie(cookie) }
            return response
        }
        routes.on(names.endSession, .get) { request, context in
            try await endSession(request.queryFields(), request, context)
        }
        routes.on(names.endSession, .post) { request, context in
            try await endSession(context.form(of: request).fields, request, context)
        }
    }

    /// Adds the routes to which apps send requests themselves.
    private func addRequests(to routes: RouteGroup, at names: OpenIDMetadata.Paths) {
        let (authorization, authenticator, journeys, backchannel) = (
            authorization, authenticator, journeys, backchannel
        )
        routes.on(names.backchannel, .post) { request, context in
            try journeys?.requireOpenID(request, context)
            let fields = try context.form(of: request).fields
            let app = try await authenticator.app(of: request, fields)
            return JSONAnswer(try await backchannel.begin(fields, by: app))
        }
        routes.on(names.pushedRequests, .post) { request, context in
            try journeys?.requireOpenID(request, context)
            let fields = try context.form(of: request).fields
            let app = try await authenticator.app(of: request, fields)
            return Response(
                status: .created,
                json: try authorization.push(
                    fields, of: app, proofs: request.dpopProofs, path: request.uri.path))
        }
    }

    private func addAccess(to routes: RouteGroup, at names: OpenIDMetadata.Paths) {
        let (access, journeys) = (access, journeys)
        for method in [HTTPRequest.Method.get, .post] {
            routes.on(names.userInformation, method) { request, context in
                try journeys?.requireOpenID(request, context)
                return JSONAnswer(try await access.userInformation(for: AppAccess.Request(request)))
            }
        }
    }

    /// Adds the routes that Nightlatch's own paths share with devices.
    private func addTokens(to routes: RouteGroup, at names: OpenIDMetadata.Paths) {
        let (exchange, access, authenticator, journeys) = (exchange, access, authenticator, journeys)
        routes.on(names.token, .post) { request, context in
            try journeys?.requireOpenID(request, context)
            let fields = try context.form(of: request).fields
            let app = try await authenticator.app(of: request, fields)
            return JSONAnswer(
                try await exchange.exchange(
                    .init(app: app, fields: fields, proofs: request.dpopProofs, path: request.uri.path)))
        }
        routes.on(names.revocation, .post) { request, context in
            try journeys?.requireOpenID(request, context)
            let fields = try context.form(of: request).fields
            let app = try await authenticator.app(of: request, fields)
            try await access.revoke(PresentedToken.text(in: fields), of: app)
            return Response(.object([]))
        }
        routes.on(names.introspection, .post) { request, context in
            try journeys?.requireOpenID(request, context)
            let fields = try context.form(of: request).fields
            let app = try await authenticator.app(of: request, fields)
            return try await access.answer(toInspection: fields, by: app)
        }
    }
}

extension AppAccess {
    /// The answer to an app that introspects a token. Only an app with credentials may.
    func answer(toInspection fields: [String: String], by app: App) async throws -> Response {
        guard app.authentication != .none else { throw Refusal.appAuthenticationRefused }
        guard let state = try await inspect(PresentedToken.text(in: fields), by: app.id) else {
            return Response(.object([.init("active", .bool(false))]))
        }
        return Response(status: .ok, json: state)
    }
}

extension AppAuthenticator {
    /// Authenticates the app of a request.
    func app(of request: Request, _ fields: [String: String]) async throws(Refusal) -> App {
        try await authenticate(
            AppCredentials(fields: fields, basic: request.credentials(scheme: "Basic")), at: request.uri.path)
    }
}

extension AppAccess.Request {
    fileprivate init(_ request: Request) {
        let bearer = request.credentials(scheme: "Bearer")
        self.init(
            token: bearer ?? request.credentials(scheme: "DPoP"), isBound: bearer == nil, proofs: request.dpopProofs,
            method: request.method.rawValue, path: request.uri.path)
    }
}

extension JourneyConfiguration {
    /// Refuses a path or query that names another realm. Nightlatch's own paths name none.
    fileprivate func requireOpenID(_ request: Request, _ context: RelyingPartyRequestContext) throws(Refusal) {
        let named = context.decoded("realm") ?? request.realmInQuery
        guard let named else { return }
        guard named == realm.name || named == "/" + realm.name else { throw .notFound }
    }
}

extension Request {
    /// The realm in the query of PingAM's short paths; nil for none.
    fileprivate var realmInQuery: String? { FormFields(Data((uri.query ?? "").utf8))?.fields["realm"] }
}
