import Foundation
import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// The routes of the shop, which is a site of its own.
struct ShopRoutes: Sendable {
    static let callbackPath = "/callback"
    private static let cookieName = "nightlatch-demo-shop"
    /// Pages load only the style sheet and send forms only to the shop. Other pages cannot frame them
    /// ([CSP level 3](https://www.w3.org/TR/CSP3/)).
    private static let contentSecurityPolicy = """
        default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'
        """

    private let shop: DemoShop
    /// The user whose name the login page suggests.
    private let user: UserID
    private let host: String
    private let visitors = ShopVisitors()

    /// - Parameter host: The host and port by which browsers reach the shop.
    init(shop: DemoShop, user: UserID, host: String) {
        self.shop = shop
        self.user = user
        self.host = host
    }

    func router() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        let site = router.add(middleware: ShopAccess(host: host, contentSecurityPolicy: Self.contentSecurityPolicy))
        site.get("style.css") { _, _ in ShopPage.style.response }
        site.get("") { request, _ in
            guard case .isLoggedIn(let token)? = visit(of: request) else { return Response(page: ShopPage.start) }
            return Response(page: ShopPage.account(token))
        }
        site.get("login") { _, _ in try begin() }
        site.get(RouterPath(Self.callbackPath)) { request, _ in await finish(request) }
        site.post("logout") { request, _ in
            if let secret = secret(in: request) { _ = visitors.take(secret) }
            return Response(seeOther: "/")
        }
        return router
    }

    private func begin() throws -> Response {
        let attempt = DemoShop.Attempt()
        let url = try shop.address(of: attempt, user: user)
        return remember(.logsIn(attempt), in: Response(seeOther: url.absoluteString))
    }

    /// Handles the answer to an authorization request.
    private func finish(_ request: Request) async -> Response {
        guard let secret = secret(in: request), case .logsIn(let attempt)? = visitors.take(secret),
            let fields = FormFields(Data((request.uri.query ?? "").utf8))?.fields,
            attempt.state.isEqual(to: fields["state"] ?? ""), fields["iss"] == shop.issuer.rawValue
        else { return Response(status: .badRequest, page: ShopPage.failed("This browser began no such login.")) }
        guard let code = fields["code"] else { return Response(page: ShopPage.cancelled) }
        do {
            let token = try await shop.logIn(with: code, of: attempt)
            return remember(.isLoggedIn(token), in: Response(seeOther: "/"))
        } catch {
            return Response(status: .badGateway, page: ShopPage.failed("\(error)"))
        }
    }

    private func remember(_ visit: ShopVisitors.Visit, in response: Response) -> Response {
        var response = response
        response.setCookie(
            Cookie(
                name: Self.cookieName, value: visitors.keep(visit).text, path: "/", secure: false, httpOnly: true,
                sameSite: .lax))
        return response
    }

    private func secret(in request: Request) -> String? { request.cookies[Self.cookieName]?.value }

    private func visit(of request: Request) -> ShopVisitors.Visit? { secret(in: request).flatMap(visitors.visit) }
}

/// Refuses requests under another host name, and forms of other sites. Adds the headers that protect a page.
private struct ShopAccess<Context: RequestContext>: RouterMiddleware {
    let host: String
    let contentSecurityPolicy: String

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.head.authority == host else { throw HTTPError(.misdirectedRequest) }
        guard request.method == .get || request.headers[.origin] == "http://" + host else {
            throw HTTPError(.forbidden)
        }
        var response = try await next(request, context)
        // With `no-referrer`, browsers would send the shop’s own form with the origin `null`.
        response.headers[.referrerPolicy] = "same-origin"
        response.headers.protectPage(contentSecurityPolicy: contentSecurityPolicy)
        return response
    }
}
