import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

/// A browser of an operator: it keeps all cookies, sends the headers of a tab, and follows no redirect.
struct OperatorBrowser {
    let caller: TestCaller
    var cookies: [String: String] = [:]
    /// The token in the forms of the last page.
    private(set) var formToken: String?
    var origin = ["Sec-Fetch-Site": "same-origin"]

    init(_ caller: TestCaller) { self.caller = caller }

    static let console = "__Host-nightlatch-console"
    static let secret = "__Host-nightlatch-login"
    static let session = "__Host-nightlatch-session"

    @discardableResult
    mutating func get(
        _ path: String, _ method: HTTPRequest.Method = .get, headers: [String: String] = [:]
    ) async throws -> TestResponse {
        try await call(method, path, ["Accept": "text/html"].merging(headers) { $1 }, body: nil)
    }

    /// Sends a form with the token of the last page.
    @discardableResult
    mutating func post(_ path: String, _ fields: [String: String] = [:]) async throws -> TestResponse {
        var form = URLComponents()
        form.queryItems = ["form_token": formToken ?? ""].merging(fields) { $1 }.map(URLQueryItem.init)
        let body = try #require(form.percentEncodedQuery).replacing("+", with: "%2B")
        let type = ["Content-Type": "application/x-www-form-urlencoded"]
        return try await call(.post, path, origin.merging(type) { $1 }, body: body)
    }

    private mutating func call(
        _ method: HTTPRequest.Method, _ path: String, _ headers: [String: String], body: String?
    ) async throws -> TestResponse {
        var headers = headers
        if !cookies.isEmpty { headers["Cookie"] = cookies.map { $0 + "=" + $1 }.sorted().joined(separator: "; ") }
        let response = try await caller.call(method, path, headers: headers, body: body)
        for text in response.headers[values: .setCookie] {
            let pair = try #require(text.split(separator: ";").first).split(separator: "=", maxSplits: 1)
            let name = String(try #require(pair.first))
            cookies[name] = text.contains("Max-Age=0") ? nil : String(try #require(pair.last))
        }
        if let match = response.text.firstMatch(of: /name="form_token" value="([^"]+)"/) {
            formToken = String(match.1)
        }
        return response
    }

    // The steps of a sign-in.

    /// Presses the button of the sign-in page. Returns the handle of the login page.
    mutating func beginSignIn() async throws -> String {
        let response = try await post("/console/sign-in/phone")
        #expect(response.status == .seeOther, "\(response.text)")
        return try handle(in: response, at: "/login")
    }

    func handle(in response: TestResponse, at path: String) throws -> String {
        let location = try #require(response.headers[.location].flatMap(URLComponents.init(string:)))
        #expect(location.path == path && location.host == nil)
        return try #require(location.queryItems?.first { $0.name == "request" }?.value)
    }

    /// Enters the name of the session's user, and confirms with the phone. Returns the handle of the page.
    mutating func confirmedSignIn(_ phone: TestSession) async throws -> String {
        let offered = try await beginSignIn()
        let asked = try await post("/login/ask", ["request": offered, "user": phone.user.rawValue])
        let handle = try handle(in: asked, at: "/login")
        let number = try #require(try await get("/login?request=" + handle).number)
        #expect(try await caller.confirmRemoteLogin(number: number, phone) == .confirmed)
        return handle
    }

    /// Signs in with the phone, and returns the answer of the console.
    @discardableResult
    mutating func signIn(_ phone: TestSession) async throws -> TestResponse {
        let handle = try await confirmedSignIn(phone)
        let left = try await get("/login?request=" + handle)
        #expect(left.status == .seeOther && left.headers[values: .setCookie].isEmpty)
        let address = try #require(left.headers[.location])
        #expect(address.hasPrefix("/console/signed-in?request="))
        return try await get(address)
    }
}

/// A relying party with a console, its store, and operators who have phones.
struct OperatorParty: Sendable {
    let store: any RelyingPartyStore
    let caller: TestCaller
    let adminKey: AdminKey

    static func with(
        hasLoginPage: Bool = true, _ body: @escaping @Sendable (OperatorParty) async throws -> Void
    ) async throws {
        let (store, adminKey) = (MemoryRelyingPartyStore(clock: TestTime.clock), AdminKey.random())
        try await TestRelyingParty.with(store, adminKey: adminKey, hasLoginPage: hasLoginPage) { caller in
            try await body(OperatorParty(store: store, caller: caller, adminKey: adminKey))
        }
    }

    /// Binds a phone for a user, and then makes the user an operator, unless `role` is nil.
    func phone(of user: UserID, _ role: OperatorRole?) async throws -> TestSession {
        let phone = try await caller.newSession(of: user)
        if let role { try await set(role, of: user) }
        return phone
    }

    func set(_ role: OperatorRole, of user: UserID) async throws {
        let name = try #require(PartyName(rawValue: "Operator \(user.rawValue)"))
        if try await store.operatorRecord(of: user) == nil {
            _ = try await store.changeOperator(
                .add(name: name, role: role), of: user, keepingOwner: false, by: .operator)
        } else {
            _ = try await store.changeOperator(
                .change(name: nil, role: role), of: user, keepingOwner: false, by: .operator)
        }
    }

    func events(_ kind: AuditEvent.Kind) async throws -> [AuditEvent] {
        try await store.auditEntries(matching: AuditFilter(kind: kind), before: nil, limit: 99).map(\.event)
    }
}
