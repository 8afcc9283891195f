import Foundation
import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
public import NightlatchServer
import NightlatchWire

extension RouteAddition {
    /// The routes of the login page, at `/login`.
    ///
    /// With them, the authorization endpoint sends a browser without a session to the page. There the user confirms the
    /// login on a phone with a bound device key. Other clients still get the error `login_required`, and so does a
    /// request with `prompt=none`.
    public static var loginPage: Self {
        Self(isLoginPage: true) { root, shared in LoginPageRoutes(shared: shared).add(to: root, shared: shared) }
    }
}

/// The login page. Every request about a login needs the secret of the browser that began it.
struct LoginPageRoutes {
    private let ceremony: LoginPageCeremony
    private let renderer: LoginPageRenderer
    private let issuer: Issuer
    private let clientAddress: ClientAddress
    private let answers: LoginPageAnswers

    init(shared: RouteAddition.SharedParts) {
        issuer = shared.configuration.issuer
        ceremony = shared.loginPage
        renderer = LoginPageRenderer(issuer: issuer, clock: shared.clock)
        clientAddress = ClientAddress(trustedProxies: shared.configuration.limits.trustedProxies)
        answers = LoginPageAnswers(renderer: renderer, refusals: shared.refusals)
    }

    func add(to root: RouteGroup, shared: RouteAddition.SharedParts) {
        let routes = root.passingAlways(answers).passing(shared.concurrencyLimit).passing(shared.addressLimit)
        routes.on(LoginPagePath.style.rawValue, .get) { _, _ in LoginPageStyle.sheet.response }
        addPage(to: routes)
        addState(to: routes)
        addForms(to: routes)
    }

    private func addPage(to routes: RouteGroup) {
        routes.on(LoginPagePath.page.rawValue, .get) { request, context in
            await answers.answer(request, context) { texts in
                guard let handle = Self.handle(in: try request.queryFields()) else { return renderer.scanned(texts) }
                let browser = secret(in: request)
                var page = try await ceremony.page(handle, browser: browser)
                if page.state == .confirmed {
                    // A program that only looks at the page must not use up the login.
                    guard request.method == .get else { return Response(status: .ok) }
                    if page.isOfConsole {
                        return Response(seeOther: issuer.path + LoginPagePath.consoleAddress(handle))
                    }
                    if let (answer, token) = try await ceremony.proceed(handle, browser: browser) {
                        var response = renderer.leaving(with: answer, texts, isLoggedIn: true)
                        response.setCookie(BrowserCookie.session(of: issuer).set(token.text))
                        return response
                    }
                    page = try await ceremony.page(handle, browser: browser)
                    if page.state == .confirmed { page.state = .ended(.deviceStopped) }
                }
                return renderer.page(page, handle, texts)
            }
        }
    }

    /// The page's script asks for the state.
    private func addState(to routes: RouteGroup) {
        routes.on(LoginPagePath.state.rawValue, .get) { request, context in
            var (state, status) = ("unknown", HTTPResponse.Status.notFound)
            do {
                if let handle = Self.handle(in: try request.queryFields()) {
                    state = try await ceremony.page(handle, browser: secret(in: request)).state.name
                    status = .ok
                }
            } catch Refusal.notFound {
                // The browser has lost its cookie, or the page is too old. The page says so when it is loaded again.
            }
            return Response(
                status: status, headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"state":"\#(state)"}"#)))
        }
    }

    private func addForms(to routes: RouteGroup) {
        form(.ask, on: routes) { form, texts in
            // Keyboards of phones add a space to the words that they suggest.
            let name = (form.fields["user"] ?? "").trimmingCharacters(in: .whitespaces)
            guard let user = UserID(rawValue: name) else {
                let page = try await ceremony.page(form.handle, browser: form.browser)
                return renderer.page(page, form.handle, texts, refusing: name)
            }
            let handle = try await ceremony.ask(user, on: form.handle, browser: form.browser)
            return Response(seeOther: renderer.address(handle))
        }
        form(.again, on: routes) { form, _ in
            let handle = try ceremony.beginAgain(form.handle, place: form.place, browser: form.browser)
            return Response(seeOther: renderer.address(handle))
        }
        form(.cancel, on: routes) { form, texts in
            let page = try await ceremony.page(form.handle, browser: form.browser)
            if page.isOfConsole { return Response(seeOther: issuer.path + LoginPagePath.consoleSignIn) }
            let answer = try await ceremony.cancel(form.handle, browser: form.browser)
            return renderer.leaving(with: answer, texts, isLoggedIn: false)
        }
    }

    /// A form of the page.
    private struct Form: Sendable {
        let handle: LoginPageHandle
        let browser: BrowserSecret?
        let place: RemoteLoginPlace?
        let fields: [String: String]
    }

    /// Handles a form of the page. Refuses forms that other sites send.
    private func form(
        _ path: LoginPagePath, on routes: RouteGroup,
        _ act: @escaping @Sendable (Form, LoginPageTexts) async throws -> Response
    ) {
        routes.on(path.rawValue, .post) { request, context in
            await answers.answer(request, context) { texts in
                guard request.isFromOwnPage(of: issuer) else {
                    throw Refusal.malformed(detail: "The form is not from this relying party's page.")
                }
                let fields = try context.form(of: request).fields
                guard let handle = Self.handle(in: fields) else { throw Refusal.notFound }
                return try await act(
                    Form(
                        handle: handle, browser: secret(in: request), place: clientAddress.place(of: request, context),
                        fields: fields), texts)
            }
        }
    }

    private static func handle(in fields: [String: String]) -> LoginPageHandle? {
        fields[LoginPagePath.handleField].map(LoginPageHandle.init)
    }

    private func secret(in request: Request) -> BrowserSecret? {
        BrowserCookie.secret(of: issuer).value(in: request).flatMap(BrowserSecret.init)
    }
}

extension LoginPage.State {
    /// The state for the page's script.
    var name: String {
        switch self {
        case .offered: "offered"
        case .waiting: "waiting"
        case .confirmed: "confirmed"
        case .ended: "ended"
        }
    }
}
