import Foundation
import Hummingbird
import Nightlatch
import NightlatchPlatform
import NightlatchResourceServer
import NightlatchTokenVerification
import NightlatchWire

struct ShopContext: AccessTokenRequestContext {
    var coreContext: CoreRequestContextStorage
    var accessToken: VerifiedAccessToken?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
    }
}

struct Shop: Sendable {
    /// The relying party that issues the tokens, as the app knows it.
    let relyingParty: Issuer
    /// This server as the app reaches it, also behind a proxy: proofs name this address.
    let address: Issuer
    let backend: HTTPBackend

    func router() -> Router<ShopContext> {
        let router = Router(context: ShopContext.self)
        // Routes before the middleware are open to all.
        router.get("articles") { _, _ in "lamps, curtains" }
        router.add(
            middleware: AccessTokenMiddleware(
                ResourceServerConfiguration(relyingParty: relyingParty, server: address),
                keys: HTTPRelyingParty(issuer: relyingParty)))
        router.get("orders") { _, context in
            guard let claims = context.accessToken?.claims else { throw HTTPError(.unauthorized) }
            return "orders of \(claims.subject)"
        }
        router.post("orders") { request, context in
            guard let claims = context.accessToken?.claims else { throw HTTPError(.unauthorized) }
            guard try await isStillValid(request) else { throw HTTPError(.unauthorized) }
            let payment = try await askForPayment(of: claims.subject)
            return "confirm \(payment)"
        }
        return router
    }
}

extension Shop {
    func isStillValid(_ request: Request) async throws -> Bool {
        guard let header = request.headers[.authorization], header.lowercased().hasPrefix("dpop "),
            let token = AccessToken(rawValue: String(header.dropFirst(5)))
        else { return false }
        return try await backend.introspect(.access(token)).isActive
    }
}

extension Shop {
    init(relyingParty: Issuer, address: Issuer, backendKeyFile: String) throws(BackendKeyFileError) {
        let backend = HTTPBackend(issuer: relyingParty, key: try BackendKey(file: backendKeyFile))
        self.init(relyingParty: relyingParty, address: address, backend: backend)
    }

    /// Show it to the user as text or as a QR code. It works once, within ten minutes.
    func enrolmentCode(for user: UserID) async throws(RelyingPartyError) -> String {
        try await backend.enrolmentCode(for: user).code.groupedText
    }

    /// Asks the user's devices to confirm a payment. Store the request before you send it: if the answer is lost, send
    /// the same request again, and there is still only one payment.
    func askForPayment(of user: UserID) async throws -> TransactionID {
        let details = try TransactionDetails(
            amount: "129.90", currency: "EUR", payee: "Night Train Ltd", expiresAt: NumericDate(Date()) + .seconds(600))
        let request = TransactionRequest(id: .random(), user: user, devices: .allDevices, details: details)
        return try await backend.create(request).id
    }
}

/// The app's requests to the shop, as the user of an open vault.
actor ShopClient {
    enum Failure: Error {
        case status(Int)
    }

    private let shop: Issuer
    private let login: Login
    private let vault: OpenVault
    private let transport: any HTTPTransport
    private var session: Session?
    private var nonce: DPoPNonce?

    init(
        shop: Issuer,
        login: Login,
        vault: OpenVault,
        transport: any HTTPTransport = URLSessionTransport()
    ) {
        (self.shop, self.login, self.vault, self.transport) = (shop, login, vault, transport)
    }

    func get(_ path: String) async throws -> Data {
        guard let url = shop.url(path: path) else { throw URLError(.badURL) }
        // At most three requests: the first, one with the server's nonce, and one with a new session.
        for _ in 0..<2 {
            let known = nonce
            let answer = try await send("GET", url)
            guard answer.status == 401 else { return try body(of: answer) }
            if nonce == known { session = nil }
        }
        return try body(of: try await send("GET", url))
    }

    private func body(of answer: HTTPTransportResponse) throws(Failure) -> Data {
        guard answer.status == 200 else { throw .status(answer.status) }
        return answer.body
    }

    private func send(_ method: String, _ url: URL) async throws -> HTTPTransportResponse {
        let session = try await currentSession()
        let headers = try await session.authorization(method: method, url: url, nonce: nonce).headers
        let answer = try await transport.send(HTTPTransportRequest(method: method, url: url, headers: headers))
        if let newest = answer.header("DPoP-Nonce") { nonce = DPoPNonce(rawValue: newest) }
        return answer
    }

    /// Uses the refresh token that the last login left in the vault, or logs in with the device key.
    private func currentSession() async throws(LoginError) -> Session {
        if let session { return session }
        let new = try await login.resume(vault)
        session = new
        return new
    }
}

/// Asks the shop without a token, and then as the app's user.
///
/// - Returns: A line for each answer.
func visit(_ shop: Issuer, as app: ShopClient, over transport: any HTTPTransport) async throws -> [String] {
    var lines: [String] = []
    for path in ["/articles", "/orders"] {
        guard let url = shop.url(path: path) else { throw URLError(.badURL) }
        let answer = try await transport.send(HTTPTransportRequest(method: "GET", url: url, headers: [:]))
        lines.append("without a token, \(path): \(answer.status)")
    }
    lines.append("the app, /orders: \(String(decoding: try await app.get("/orders"), as: UTF8.self))")
    return lines
}
