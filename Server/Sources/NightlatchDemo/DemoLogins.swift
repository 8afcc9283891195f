import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// The steps in which a browser logs the user in, and the device confirms.
struct DemoLogins {
    let issuer: Issuer
    let backendKeyPath: String
    let home: ClientHome
    let vault: Vault
    let reporter: DemoReporter

    private static let redirect = "com.example.shop:/callback"
    private static let verifier = "the-verifier-of-an-app-for-the-demonstration"
    /// Keeps cookies, as a browser does.
    private let browser = URLSessionTransport()

    func play(_ session: Session) async throws {
        let page = try await openPage()
        try await confirm(page, session)
        try await logIn(page)
    }

    /// A login page that waits.
    private struct Page {
        let url: URL
        let code: RemoteLoginCode
        let number: RemoteLoginNumber
    }

    private func openPage() async throws -> Page {
        try await reporter.step("A browser asks for a login at another app, and shows a QR code and a number") {
            let app = #"{"client_id":"shop","client_name":"The Shop","redirect_uris":["\#(Self.redirect)"]}"#
            let key = try BackendKey.load(from: backendKeyPath)
            _ = try await send(
                "/v1/apps/shop", body: app,
                headers: ["Content-Type": "application/json", "Authorization": "Bearer " + key.rawValue])
            let hash = Array(SHA256.hash(data: Data(Self.verifier.utf8)))
            let (text, url) = try await send(
                "/oauth/authorize?client_id=shop&response_type=code&scope=openid&redirect_uri=\(Self.redirect)"
                    + "&code_challenge_method=S256&code_challenge=" + Base64URL.encode(hash),
                headers: ["Accept": "text/html"])
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

    private func logIn(_ page: Page) async throws {
        try await reporter.step("The browser is logged in, and the app learns who the user is") {
            let (text, _) = try await follow(HTTPTransportRequest(method: "GET", url: page.url, headers: [:]))
            guard let code = text.firstMatch(of: /callback\?code=([A-Za-z0-9_-]+)/) else {
                throw DemoFailure("the page did not continue")
            }
            let form =
                "grant_type=authorization_code&client_id=shop&code=\(code.output.1)&redirect_uri=\(Self.redirect)"
                + "&code_verifier=" + Self.verifier
            let (tokens, _) = try await send(
                "/oauth/token", body: form, headers: ["Content-Type": "application/x-www-form-urlencoded"])
            guard let token = try StrictJSON.decode(JSONValue.self, from: Data(tokens.utf8))["access_token"]?.string
            else { throw DemoFailure("the app got no token") }
            let (user, _) = try await send("/oauth/userinfo", headers: ["Authorization": "Bearer " + token])
            let subject = try StrictJSON.decode(JSONValue.self, from: Data(user.utf8))["sub"]?.string
            try DemoFailure.require(subject == "alice", "the app learned something else")
            return "the code became an access token and an ID token of alice; no password was typed"
        }
    }

    /// Sends a request to the server. Returns the body and the address of the answer.
    @discardableResult
    private func send(
        _ path: String, body: String? = nil, headers: [String: String]
    ) async throws -> (text: String, url: URL) {
        guard let url = issuer.url(path: path) else { throw DemoFailure("\(path) is no path") }
        return try await follow(
            HTTPTransportRequest(
                method: body == nil ? "GET" : "POST", url: url, headers: headers, body: body.map { Data($0.utf8) }))
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
