import Crypto
import Foundation
import Nightlatch
import NightlatchTesting
import NightlatchWire

/// An authorization server with journeys that answers correctly, unless a test scripts another answer. Copies of the
/// value share its state.
struct TokenServer: HTTPTransport {
    enum Endpoint: String, Hashable, Sendable {
        case discovery, authenticate, sessions, authorize, token, userinfo, revoke
    }

    enum Answer: Sendable {
        case response(Int, headers: [String: String] = [:], String)
        /// A redirect to the app with these parameters in place of the correct ones. `STATE` becomes the state.
        case redirect(String)
        /// Tokens with the ID token for the request's nonce.
        case idToken(@Sendable (_ nonce: String) -> String)
        /// The answer never arrives.
        case lost
        /// The correct answer with a part of its text replaced.
        case changed(String, to: String)

        static let page = Answer.response(
            200, headers: ["Content-Type": "text/html"], "<html>Sign in to the Wi-Fi</html>")
    }

    /// Holds the requests to one endpoint until it is opened.
    struct Gate: Sendable {
        fileprivate let opened = AsyncStream<Void>.makeStream()
        fileprivate let reached = AsyncStream<Void>.makeStream()

        /// Returns when a request has arrived.
        func arrival() async { for await _ in reached.stream { return } }

        func open() { opened.continuation.finish() }

        /// Reports an arrival, and returns when the gate is open.
        func pass() async {
            reached.continuation.finish()
            for await _ in opened.stream {}
        }
    }

    private struct State {
        var requests: [(Endpoint, HTTPTransportRequest)] = []
        var scripts: [Endpoint: [Answer]] = [:]
        var gates: [Endpoint: Gate] = [:]
        var sessionCount = 0
        var count = 0
        var asked: [String: String] = [:]
        var refreshToken = ""
        var user = "alice"
        var hasCookie = false
    }

    /// The issuer of the server at ``defaultHost``.
    static let base = issuer(at: defaultHost)
    static let redirectUri = "com.example.app:/oauth2redirect"
    private static let defaultHost = "example.com"

    let host: String
    private let state = Shared(State())

    init(host: String = defaultHost) { self.host = host }

    static func issuer(at host: String) -> String { "https://\(host)/am/oauth2/alpha" }

    /// The server's name, `iss`. Its endpoints are below it.
    var issuer: String { Self.issuer(at: host) }

    func script(_ endpoint: Endpoint, _ answers: Answer...) {
        state.withLock { $0.scripts[endpoint, default: []] += answers }
    }

    func hold(_ endpoint: Endpoint) -> Gate {
        let gate = Gate()
        state.withLock { $0.gates[endpoint] = gate }
        return gate
    }

    func logIn(as user: String) { state.withLock { $0.user = user } }

    /// Makes the current refresh token unknown to the server.
    func forgetRefreshToken() { state.withLock { $0.refreshToken = "gone" } }

    func requests(to endpoint: Endpoint) -> [HTTPTransportRequest] {
        state.withLock { $0.requests.filter { $0.0 == endpoint }.map(\.1) }
    }

    /// The endpoints in the order of the requests.
    var visited: [Endpoint] { state.withLock { $0.requests.map(\.0) } }

    /// Whether the transport has the cookie of a session.
    var hasCookie: Bool { state.withLock { $0.hasCookie } }

    func forgetCookies() { state.withLock { $0.hasCookie = false } }

    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        guard let endpoint = endpoint(of: request) else { throw .unreachable(reason: "another address") }
        let (scripted, gate) = state.withLock { state in
            state.requests.append((endpoint, request))
            let script = state.scripts[endpoint] ?? []
            state.scripts[endpoint] = Array(script.dropFirst())
            return (script.first, state.gates.removeValue(forKey: endpoint))
        }
        await gate?.pass()
        switch scripted {
        case .response(let status, let headers, let body)?:
            return HTTPTransportResponse(status: status, headers: headers, body: Data(body.utf8))
        case .redirect(let query)?:
            let sent = Self.query(of: request)["state"] ?? ""
            return Self.redirect(query.replacingOccurrences(of: "STATE", with: sent))
        case .idToken(let make)?:
            let token = make(state.withLock { $0.asked["nonce"] ?? "" })
            return Self.json(#"{"access_token":"x","expires_in":600,"id_token":"\#(token)"}"#)
        case .lost?: throw .unreachable(reason: "lost")
        case .changed(let part, let other)?:
            let right = answer(endpoint, request)
            let body = String(decoding: right.body, as: UTF8.self).replacingOccurrences(of: part, with: other)
            return HTTPTransportResponse(status: right.status, headers: right.headers, body: Data(body.utf8))
        case nil: return answer(endpoint, request)
        }
    }

    static func query(of request: HTTPTransportRequest) -> [String: String] {
        let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    static func form(of request: HTTPTransportRequest) -> [String: String] {
        let text = String(decoding: request.body ?? Data(), as: UTF8.self)
        let items = URLComponents(string: "?\(text)")?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    static func redirect(_ query: String) -> HTTPTransportResponse {
        HTTPTransportResponse(status: 302, headers: ["location": "\(redirectUri)?\(query)"], body: Data())
    }

    private func endpoint(of request: HTTPTransportRequest) -> Endpoint? {
        guard request.url.host() == host else { return nil }
        return switch request.url.lastPathComponent {
        case "openid-configuration": .discovery
        case "authenticate": .authenticate
        case "sessions": .sessions
        case "authorize": .authorize
        case "access_token": .token
        case "userinfo": .userinfo
        case "revoke": .revoke
        default: nil
        }
    }

    private func answer(_ endpoint: Endpoint, _ request: HTTPTransportRequest) -> HTTPTransportResponse {
        switch endpoint {
        case .discovery: return Self.json(document)
        case .authenticate:
            let number = state.withLock { state in
                state.sessionCount += 1
                state.hasCookie = true
                return state.sessionCount
            }
            return Self.json(
                #"{"tokenId":"session-\#(number)","successUrl":"/enduser/?realm=/alpha","realm":"/alpha"}"#)
        case .sessions: return Self.json(#"{"result":"Successfully logged out"}"#)
        case .authorize: return authorize(request)
        case .token: return token(Self.form(of: request))
        case .userinfo:
            let user = state.withLock { $0.user }
            return Self.json(
                #"{"sub":"\#(user)","name":"Alice","email_verified":true,"updated_at":5,"address":{"a":[1]}}"#)
        case .revoke: return Self.json("{}")
        }
    }

    private func authorize(_ request: HTTPTransportRequest) -> HTTPTransportResponse {
        let query = Self.query(of: request)
        state.withLock { $0.asked = query }
        guard request.headers["386c0d288bac4b9"] != nil else {
            return Self.redirect("error=login_required&error_description=No%20session&state=\(query["state"] ?? "")")
        }
        let iss = issuer.replacingOccurrences(of: ":", with: "%3A").replacingOccurrences(of: "/", with: "%2F")
        return Self.redirect("code=code-1&iss=\(iss)&state=\(query["state"] ?? "")&client_id=app")
    }

    private func token(_ form: [String: String]) -> HTTPTransportResponse {
        state.withLock { state in
            if form["grant_type"] == "authorization_code" {
                let digest = Base64URL.encode(Array(SHA256.hash(data: Data((form["code_verifier"] ?? "").utf8))))
                guard digest == state.asked["code_challenge"], form["redirect_uri"] == Self.redirectUri,
                    form["code"] == "code-1"
                else { return Self.invalidGrant }
            } else {
                guard form["refresh_token"] == state.refreshToken else { return Self.invalidGrant }
            }
            state.count += 1
            state.refreshToken = "refresh-\(state.count)"
            let nonce = form["grant_type"] == "authorization_code" ? state.asked["nonce"] : nil
            let idToken = Self.idToken(user: state.user, issuer: issuer, nonce: nonce)
            return Self.json(
                #"{"access_token":"access-\#(state.count)","refresh_token":"\#(state.refreshToken)","#
                    + #""scope":"openid profile","id_token":"\#(idToken)","token_type":"Bearer","expires_in":600}"#)
        }
    }

    /// - Parameters:
    ///   - audience: The value of `aud` as JSON.
    ///   - life: `iat` and `exp` as members in JSON.
    ///   - others: Further members, each after a comma.
    static func idToken(
        user: String = "alice",
        issuer: String = base,
        audience: String = #""app""#,
        nonce: String?,
        life: String = #""iat":1790000000,"exp":1790000600"#,
        others: String = ""
    ) -> String {
        let nonce = nonce.map { #","nonce":"\#($0)""# } ?? ""
        let claims = #"{"iss":"\#(issuer)","sub":"\#(user)","aud":\#(audience),\#(life)\#(nonce)\#(others)}"#
        return "\(Base64URL.encode(Data("{}".utf8))).\(Base64URL.encode(Data(claims.utf8))).c2ln"
    }

    static let invalidGrant = HTTPTransportResponse(
        status: 400, body: Data(#"{"error":"invalid_grant","error_description":"grant is invalid"}"#.utf8))

    private static func json(_ text: String) -> HTTPTransportResponse {
        HTTPTransportResponse(status: 200, headers: ["Content-Type": "application/json"], body: Data(text.utf8))
    }

    private var document: String {
        #"{"issuer":"\#(issuer)","authorization_endpoint":"\#(issuer)/authorize","#
            + #""token_endpoint":"\#(issuer)/access_token","userinfo_endpoint":"\#(issuer)/userinfo","#
            + #""end_session_endpoint":"\#(issuer)/connect/endSession","revocation_endpoint":"\#(issuer)/token/revoke","#
            + #""authorization_response_iss_parameter_supported":true}"#
    }
}
