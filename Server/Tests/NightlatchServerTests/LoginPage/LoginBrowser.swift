import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

/// A browser of the login page: it keeps cookies, sends the headers of a navigation, and follows no redirect.
struct LoginBrowser {
    /// The headers of a tab that opens a link on another site.
    static let navigation = [
        "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "cross-site",
    ]

    let party: OpenIDParty
    private(set) var cookies: [String: String] = [:]
    var languages: String?

    init(_ party: OpenIDParty) { self.party = party }

    mutating func get(_ path: String, headers: [String: String] = navigation) async throws -> TestResponse {
        try await call(.get, path, headers, body: nil)
    }

    /// Sends a form of the page.
    mutating func post(
        _ path: String, _ fields: [String: String], headers: [String: String] = ["Sec-Fetch-Site": "same-origin"]
    ) async throws -> TestResponse {
        let type = ["Content-Type": "application/x-www-form-urlencoded"]
        return try await call(
            .post, path, Self.navigation.merging(headers) { $1 }.merging(type) { $1 }, body: OpenIDParty.form(fields))
    }

    private mutating func call(
        _ method: HTTPRequest.Method, _ path: String, _ headers: [String: String], body: String?
    ) async throws -> TestResponse {
        var headers = headers
        if !cookies.isEmpty { headers["Cookie"] = cookies.map { $0 + "=" + $1 }.sorted().joined(separator: "; ") }
        headers["Accept-Language"] = languages
        let response = try await party.caller.call(method, path, headers: headers, body: body)
        for text in response.headers[values: .setCookie] {
            let pair = try #require(text.split(separator: ";").first).split(separator: "=", maxSplits: 1)
            let name = String(try #require(pair.first))
            cookies[name] = text.contains("Max-Age=0") ? nil : String(try #require(pair.last))
        }
        return response
    }

    /// Sets or removes a cookie.
    mutating func set(_ name: String, _ value: String?) { cookies[name] = value }

    // The steps of a login.

    mutating func authorize(_ fields: [String: String]) async throws -> TestResponse {
        try await get("/oauth/authorize?" + OpenIDParty.form(fields))
    }

    /// Opens the authorization endpoint without a session, and returns the handle of the page to which it leads.
    mutating func begin(_ client: String = "web", _ changes: [String: String?] = [:]) async throws -> String {
        try handle(in: await authorize(OpenIDParty.webRequest(client, changes)))
    }

    /// The handle in the address of a redirect to the page.
    func handle(in response: TestResponse) throws -> String {
        #expect(response.status == .seeOther, "\(response.status) \(response.text)")
        let location = try #require(response.headers[.location].flatMap(URLComponents.init(string:)))
        #expect(location.path == "/login")
        return try #require(location.queryItems?.first { $0.name == "request" }?.value)
    }

    mutating func page(_ handle: String) async throws -> TestResponse { try await get("/login?request=" + handle) }

    mutating func state(_ handle: String) async throws -> TestResponse {
        try await get(
            "/login/state?request=" + handle, headers: ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"])
    }

    /// Enters the name of a user, and returns the handle of the page that waits.
    mutating func ask(_ user: String = "alice", on handle: String) async throws -> String {
        try self.handle(in: await post("/login/ask", ["request": handle, "user": user]))
    }

    /// Opens the authorization endpoint and asks Alice. Returns the handle and the number that the page shows.
    mutating func waiting(_ client: String = "web") async throws -> (handle: String, number: String) {
        let handle = try await ask(on: begin(client))
        return (handle, try #require(try await page(handle).number))
    }

    /// Logs Alice in with her phone, and returns the last answer.
    mutating func logIn(_ phone: TestSession, _ client: String = "web") async throws -> TestResponse {
        let (handle, number) = try await waiting(client)
        #expect(try await party.caller.confirmRemoteLogin(number: number, phone) == .confirmed)
        return try await page(handle)
    }
}

extension OpenIDParty {
    /// The parameters of a good request for the app "web", unless `client` is another.
    static func webRequest(_ client: String = "web", _ changes: [String: String?] = [:]) -> [String: String] {
        let redirect = client == "web" ? webRedirect : redirect
        return request(client, ["redirect_uri": redirect].merging(changes) { $1 })
    }

    /// Decides the only login that waits for the session's user.
    func decide(_ decision: TransactionDecision, number: String? = nil, _ phone: TestSession) async throws {
        let notice = try #require(try await caller.remoteLogins(phone).logins.first)
        let answer = try await caller.answer(decision, to: notice, number: number, phone)
        _ = try await caller.finishRemoteLogin(answer).message(RemoteLoginResult.self)
    }
}

extension TestResponse {
    var heading: String? { text.firstMatch(of: /<h1>([^<]*)<\/h1>/).map { String($0.output.1) } }
    var number: String? { text.firstMatch(of: /<dd>(\d\d)<\/dd>/).map { String($0.output.1) } }
    var language: String? { text.firstMatch(of: /<html lang="([^"]*)"/).map { String($0.output.1) } }

    /// The attributes of the `Set-Cookie` header for the cookie `name`, sorted.
    func attributes(ofCookie name: String) -> [String]? {
        headers[values: .setCookie].first { $0.hasPrefix(name + "=") }.map {
            $0.split(separator: ";").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }.sorted()
        }
    }

    /// The state that the page's script gets.
    var loginState: String? { get throws { try json()["state"]?.string } }
}
