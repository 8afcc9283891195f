import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// The steps in which a browser logs the user in, and the device confirms.
struct DemoLogins {
    let user: UserID
    let issuer: Issuer
    let backendKeyPath: String
    let home: ClientHome
    let vault: Vault
    let reporter: DemoReporter

    private static let redirect = "com.example.shop:/callback"
    /// Keeps cookies, as a browser does.
    private let browser = URLSessionTransport()

    func play(_ session: Session) async throws {
        guard let redirect = RedirectURI(rawValue: Self.redirect) else { throw DemoFailure("the shop has no address") }
        let shop = DemoShop(issuer: issuer, redirect: redirect)
        let attempt = DemoShop.Attempt()
        let page = try await openPage(of: shop, attempt)
        try await confirm(page, session)
        try await logIn(page, at: shop, attempt)
    }

    /// A login page that waits.
    private struct Page {
        let url: URL
        let code: RemoteLoginCode
        let number: RemoteLoginNumber
    }

    private func openPage(of shop: DemoShop, _ attempt: DemoShop.Attempt) async throws -> Page {
        try await reporter.step("A browser asks for a login at another app, and shows a QR code and a number") {
            let app = """
                {"client_id":"\(DemoShop.client)","client_name":"\(DemoShop.name)","redirect_uris":["\(Self.redirect)"]}
                """
            let key = try BackendKey.load(from: backendKeyPath)
            guard let registration = issuer.url(path: "/v1/apps/\(DemoShop.client)") else {
                throw DemoFailure("no path")
            }
            _ = try await follow(
                HTTPTransportRequest(
                    method: "POST", url: registration,
                    headers: ["Content-Type": "application/json", "Authorization": "Bearer " + key.rawValue],
                    body: Data(app.utf8)))
            let (text, url) = try await follow(
                HTTPTransportRequest(
                    method: "GET", url: shop.address(of: attempt, user: user), headers: ["Accept": "text/html"]))
            guard let scanned = text.firstMatch(of: /href="([^"]*\/login#[^"]*)"/),
                let code = RemoteLoginCode(scanned: String(scanned.output.1), issuer: issuer),
                let shown = text.firstMatch(of: /<dd>(\d\d)<\/dd>/),
                let number = RemoteLoginNumber(rawValue: String(shown.output.1))
            else { throw DemoFailure("the login page shows no code or no number") }
            return (Page(url: url, code: code, number: number), "the code is sealed; the number is \(number)")
        }
    }

    private func confirm(_ page: Page, _ session: Session) async throws {
        try await reporter.step("The device scans it, shows app and place, and the number and the PIN confirm it") {
            let login = try await session.claimRemoteLogin(page.code)
            let waiting = try await session.pendingRemoteLogins().logins
            try DemoFailure.require(waiting == [login], "the device lists another login")
            let decider = RemoteLoginDecider(vault: vault, keys: home.keys)
            try await decider.confirm(login, number: page.number, in: session, pin: try .demo(DemoPin.first))
            return "signed: log in to \(login.details.app), from \(login.details.place?.rawValue ?? "?")"
        }
    }

    private func logIn(_ page: Page, at shop: DemoShop, _ attempt: DemoShop.Attempt) async throws {
        try await reporter.step("The browser is logged in, and the app learns who the user is") {
            let (text, _) = try await follow(HTTPTransportRequest(method: "GET", url: page.url, headers: [:]))
            guard let code = text.firstMatch(of: /callback\?code=([A-Za-z0-9_-]+)/) else {
                throw DemoFailure("the page did not continue")
            }
            let token = try await shop.logIn(with: String(code.output.1), of: attempt)
            try DemoFailure.require(token.subject == user.rawValue, "the app learned something else")
            return
                "the app verified an ID token of \(token.subject) in \(token.checks.count) steps; no password was typed"
        }
    }

    /// Sends a request and follows a few redirects.
    private func follow(_ first: HTTPTransportRequest) async throws -> (text: String, url: URL) {
        var request = first
        for _ in 0..<5 {
            let response = try await browser.send(request)
            if response.status == 200 { return (String(decoding: response.body, as: UTF8.self), request.url) }
            guard (300..<400).contains(response.status),
                let next = response.header("Location").flatMap({ URL(string: $0, relativeTo: request.url) })
            else { break }
            request = HTTPTransportRequest(method: "GET", url: next.absoluteURL, headers: ["Accept": "text/html"])
        }
        throw DemoFailure("\(first.url.path) was refused")
    }
}
