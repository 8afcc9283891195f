package import Hummingbird
package import NightlatchRelyingParty
package import NightlatchWire

/// The way from the authorization endpoint to the login page, for browsers.
struct LoginPageEntrance: Sendable {
    let issuer: Issuer
    let ceremony: LoginPageCeremony
    let clientAddress: ClientAddress

    /// Redirects the form of an app to GET, with its fields in the query; returns nil for other requests.
    ///
    /// With a form of another site, browsers send no cookie, and so neither a session nor the secret of another tab.
    /// With the navigation that follows they do.
    func navigation(for request: Request, _ fields: [String: String]) -> Response? {
        guard request.method == .post, request.asksForPage else { return nil }
        let query = fields.filter { !WaitingAuthorization.secrets.contains($0.key) }.sorted { $0.key < $1.key }
            .map { $0.key.percentEncoded + "=" + $0.value.percentEncoded }.joined(separator: "&")
        return Response(seeOther: issuer.path + request.uri.path + "?" + query)
    }

    /// Redirects a browser that is to log in; returns nil for other clients, which get the error.
    ///
    /// The address has no host, so the cookie is valid there, by whatever name the browser reached the server.
    func response(
        for waiting: WaitingAuthorization, to request: Request, _ context: RelyingPartyRequestContext
    ) throws(Refusal) -> Response? {
        guard request.asksForPage else { return nil }
        let cookie = BrowserCookie.secret(of: issuer)
        let (handle, secret) = try ceremony.begin(
            waiting, place: clientAddress.place(of: request, context),
            browser: cookie.value(in: request).flatMap(BrowserSecret.init))
        var response = Response(seeOther: issuer.path + LoginPagePath.page.address(handle))
        response.setCookie(cookie.set(secret.text))
        return response
    }
}

/// The login page's paths.
package enum LoginPagePath: String, CaseIterable, Sendable {
    case page = "/login"
    case state = "/login/state"
    case ask = "/login/ask"
    case again = "/login/again"
    case cancel = "/login/cancel"
    case style = "/login/style.css"

    /// The member of the query or form with the handle.
    package static let handleField = "request"

    /// The console's page for signing in, below the issuer.
    package static let consoleSignIn = "/console/sign-in"

    /// The console's page to which a confirmed sign-in leads, with the handle, below the issuer.
    package static func consoleAddress(_ handle: LoginPageHandle) -> String {
        "/console/signed-in?" + handleField + "=" + handle.text.percentEncoded
    }

    /// The path with the handle, below the issuer.
    package func address(_ handle: LoginPageHandle) -> String {
        rawValue + "?" + Self.handleField + "=" + handle.text.percentEncoded
    }
}

extension ClientAddress {
    /// The place of a remote login that `request` asks for; nil if it did not come over a network.
    package func place(of request: Request, _ context: RelyingPartyRequestContext) -> RemoteLoginPlace? {
        address(of: request, from: context.remoteAddress).flatMap { RemoteLoginPlace(rawValue: $0.description) }
    }
}

extension Request {
    /// Whether a user waits for a page: a browser's tab opens the address, and no program of the vendor's SDKs, which
    /// read an error from the redirect.
    fileprivate var asksForPage: Bool {
        let accepted = headers[values: .accept].joined(separator: ",")
        guard accepted.utf8.count <= 2048,
            accepted.lowercased().split(separator: ",").contains(where: { range in
                range.split(separator: ";").first.map { $0.filter { $0 != " " } } == "text/html"
            })
        else { return false }
        let isFramed = !headers[values: .secFetchDest].allSatisfy { $0.isExactly("document") }
        let isScripted = !headers[values: .secFetchMode].allSatisfy { $0.isExactly("navigate") }
        let isOfSDK =
            headers.contains(.acceptAPIVersion)
            || headers[values: .xRequestedWith].contains { $0.isExactly("ping-sdk") || $0.isExactly("forgerock-sdk") }
        return !isFramed && !isScripted && !isOfSDK
    }
}
