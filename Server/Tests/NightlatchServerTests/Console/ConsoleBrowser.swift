import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

/// A browser of the console: it keeps the cookie, sends the origin of its forms, and follows no redirect.
struct ConsoleBrowser {
    let caller: TestCaller
    /// The cookie as it is sent back, with name and value.
    var cookie: String?
    /// The token in the forms of the last page.
    private(set) var formToken: String?
    /// The headers that tell the origin of a post.
    var origin = ["Sec-Fetch-Site": "same-origin"]

    init(_ caller: TestCaller) {
        self.caller = caller
    }

    /// Runs `body` against a relying party with a console.
    static func with(
        _ store: some RelyingPartyStore = MemoryRelyingPartyStore(clock: TestTime.clock),
        masterKey: MasterKey = .random(),
        configuration: RelyingPartyConfiguration? = nil,
        adminKey: AdminKey = .random(),
        _ body: @escaping @Sendable (_ browser: inout ConsoleBrowser, _ adminKey: AdminKey) async throws -> Void
    ) async throws {
        try await TestRelyingParty.with(
            store, masterKey: masterKey, adminKey: adminKey, configuration: configuration
        ) { caller in
            var browser = ConsoleBrowser(caller)
            try await body(&browser, adminKey)
        }
    }

    /// Runs `body` like ``with(_:masterKey:configuration:adminKey:_:)``, signed in.
    static func signedIn(
        _ store: some RelyingPartyStore = MemoryRelyingPartyStore(clock: TestTime.clock),
        _ body: @escaping @Sendable (_ browser: inout ConsoleBrowser) async throws -> Void
    ) async throws {
        try await with(store) { browser, key in
            try await browser.signIn(key)
            try await body(&browser)
        }
    }

    @discardableResult
    mutating func get(_ path: String) async throws -> TestResponse {
        let response = try await caller.call(.get, path, headers: cookie.map { ["Cookie": $0] } ?? [:])
        keep(response)
        return response
    }

    /// Sends a form. It has the token of the last page unless `token` is another one or nil, and a reason.
    @discardableResult
    mutating func post(
        _ path: String,
        _ fields: [String: String] = [:],
        token: String?? = .none
    ) async throws -> TestResponse {
        var form = URLComponents()
        var fields = ["reason": "ticket 4711"].merging(fields) { $1 }
        switch token {
        case .none: fields["form_token"] = formToken
        case .some(let token): fields["form_token"] = token
        }
        form.queryItems = fields.map { URLQueryItem(name: $0.key, value: $0.value) }
        var headers = origin
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        headers["Cookie"] = cookie
        let body = try #require(form.percentEncodedQuery).replacing("+", with: "%2B")
        let response = try await caller.call(.post, path, headers: headers, body: body)
        keep(response)
        return response
    }

    /// Signs in, which must succeed, and loads the overview.
    mutating func signIn(_ key: AdminKey) async throws {
        let response = try await post("/console/sign-in", ["key": key.rawValue])
        #expect(response.status == .seeOther && response.headers[.location] == "/console", "\(response.text)")
        let overview = try await get("/console")
        #expect(overview.status == .ok && overview.text.contains("<h1>Overview</h1>"), "\(overview.text)")
    }

    private mutating func keep(_ response: TestResponse) {
        if let set = response.headers[.setCookie] {
            cookie = set.contains("Max-Age=0") ? nil : set.split(separator: ";").first.map(String.init)
        }
        if let match = response.text.firstMatch(of: /name="form_token" value="([^"]+)"/) {
            formToken = String(match.1)
        }
    }
}

extension TestResponse {
    /// Returns the address of the page's link with this text.
    func address(ofLink text: String) -> String? {
        let links = self.text.matches(of: /<a href="([^"]+)">([^<]*)<\/a>/)
        return links.first { $0.output.2 == text }.map { String($0.output.1).replacing("&amp;", with: "&") }
    }

    /// The address of the page's style sheet.
    var styleAddress: String? {
        text.firstMatch(of: /rel="stylesheet" href="([^"]+)"/).map { String($0.output.1) }
    }

    /// The rows of the page's tables, each by the text of its header cell.
    var rowHeads: [String] {
        text.matches(of: /<th role="rowheader" scope="row">(?:<a href="[^"]*">)?([^<]*)</).map { String($0.output.1) }
    }

    /// Whether the answer redirects the browser to the sign-in page.
    var asksToSignIn: Bool {
        status == .seeOther && headers[.location]?.hasPrefix("/console/sign-in") == true
    }
}
