import Foundation
import Nightlatch
import NightlatchWire

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests to one relying party, and what its answers mean.
///
/// It keeps the newest nonce for DPoP proofs, and nothing else: no cookies, no cache, no credentials. Redirects are not followed, since a relying party has none.
struct HTTPConnection: Sendable {
    let issuer: Issuer
    let nonces = ReceivedNonces()
    private static let formType = "application/x-www-form-urlencoded"
    private let timeout: Duration
    private let sessions: HTTPSessions

    init(issuer: Issuer, timeout: Duration) {
        self.issuer = issuer
        self.timeout = timeout
        sessions = HTTPSessions(timeout: timeout)
    }

    /// Sends `body` as JSON, or nothing, and decodes the answer.
    func send<Answer: Decodable>(
        _ body: (some Encodable)? = String?.none,
        to route: Route,
        path: String? = nil,
        headers: [String: String] = [:]
    ) async throws(RelyingPartyError) -> Answer {
        guard let body else { return try await send(nil, to: route, path: path, headers: headers) }
        let content = (type: "application/json", bytes: StrictJSON.encode(body))
        return try await send(content, to: route, path: path, headers: headers)
    }

    /// As ``send(_:to:path:headers:)``, of a route whose answers and refusals `key` signs. What it has not signed is not looked at, unless it decides
    /// nothing.
    func send<Answer: Decodable>(
        _ body: some Encodable,
        answeredBy key: PublicJWK?,
        to route: Route
    ) async throws(RelyingPartyError) -> Answer {
        let content = (type: "application/json", bytes: StrictJSON.encode(body))
        return try await send(content, to: route, path: nil, headers: [:], answeredBy: key)
    }

    /// Sends `fields` as a form and decodes the answer.
    func send<Answer: Decodable>(
        form fields: [String: String],
        to route: Route,
        headers: [String: String]
    ) async throws(RelyingPartyError) -> Answer {
        let content = (type: Self.formType, bytes: FormEncoding.encode(fields))
        return try await send(content, to: route, path: nil, headers: headers)
    }

    /// Sends `fields` as a form, to a route whose answer says yes by its status alone.
    func send(form fields: [String: String], to route: Route, headers: [String: String]) async throws(RelyingPartyError)
    {
        let content = (type: Self.formType, bytes: FormEncoding.encode(fields))
        _ = try await request(content, to: route, path: nil, headers: headers)
    }

    private func send<Answer: Decodable>(
        _ content: (type: String, bytes: Data)?,
        to route: Route,
        path: String?,
        headers: [String: String],
        answeredBy key: PublicJWK? = nil
    ) async throws(RelyingPartyError) -> Answer {
        let received = try await request(content, to: route, path: path, headers: headers, answeredBy: key)
        do {
            return try StrictJSON.decode(Answer.self, from: received.body)
        } catch {
            throw .unintelligible(status: received.status)
        }
    }

    /// The answer to a request that the server did not refuse.
    private func request(
        _ content: (type: String, bytes: Data)?,
        to route: Route,
        path: String?,
        headers: [String: String],
        answeredBy key: PublicJWK? = nil
    ) async throws(RelyingPartyError) -> Received {
        let path = path ?? route.path
        guard let url = issuer.url(path: path) else { throw .unreachable(reason: "there is no URL for \(path)") }
        var message = URLRequest(url: url)
        message.httpMethod = route.method.rawValue
        message.setValue("application/json", forHTTPHeaderField: "Accept")
        for (name, value) in headers { message.setValue(value, forHTTPHeaderField: name) }
        if let content {
            message.setValue(content.type, forHTTPHeaderField: "Content-Type")
            message.httpBody = content.bytes
        }
        let received = try await exchange(message)
        if let key, received.isDecision, !received.isSigned(by: key, issuer: issuer, asked: content?.bytes ?? Data()) {
            throw .unintelligible(status: received.status)
        }
        guard (200..<300).contains(received.status) else { throw Self.refusal(received, by: route) }
        return received
    }

    /// A whole answer.
    private struct Received: Sendable {
        let body: Data
        let status: Int
        let retryAfter: Duration?
        /// What it says in ``PinAnswerClaims/headerName``.
        let signature: String?

        /// Whether something was done or decided. A server that failed, or has not looked at the request, says nothing that counts.
        var isDecision: Bool { status < 500 && status != 429 }

        func isSigned(by key: PublicJWK, issuer: Issuer, asked request: Data) -> Bool {
            guard let signature else { return false }
            return PinAnswerClaims(issuer: issuer, request: request, status: status, answer: body)
                .isSigned(in: signature, by: key)
        }
    }

    private func exchange(_ message: URLRequest) async throws(RelyingPartyError) -> Received {
        let result = await beforeDeadline(in: timeout) {
            do throws(RelyingPartyError) {
                return Result<_, RelyingPartyError>.success(try await answer(to: message))
            } catch {
                return .failure(error)
            }
        }
        guard let result else {
            throw Task.isCancelled ? .cancelled : .unreachable(reason: "there was no whole answer in \(timeout)")
        }
        return try result.get()
    }

    private func answer(to message: URLRequest) async throws(RelyingPartyError) -> Received {
        var status: Int?
        var (retryAfter, signature): (Duration?, String?)
        var body = Data()
        do {
            for try await piece in sessions.pieces(of: message) {
                switch piece {
                case .head(let response):
                    guard let response = response as? HTTPURLResponse else { break }
                    status = response.statusCode
                    retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap(Self.seconds)
                    signature = response.value(forHTTPHeaderField: PinAnswerClaims.headerName)
                    await nonces.note(response.value(forHTTPHeaderField: "DPoP-Nonce"))
                case .body(let bytes): body.append(bytes)
                }
                guard body.count <= JSONLimits.message.byteCount else {
                    throw RelyingPartyError.unintelligible(status: status ?? 0)
                }
            }
        } catch let error as RelyingPartyError {
            throw error
        } catch {
            throw Task.isCancelled ? .cancelled : .unreachable(reason: error.localizedDescription)
        }
        // The pieces of a cancelled task end early, without an error.
        guard !Task.isCancelled else { throw .cancelled }
        guard let status else { throw .unintelligible(status: 0) }
        return Received(body: body, status: status, retryAfter: retryAfter, signature: signature)
    }

    /// The seconds of `Retry-After`, up to a day. A date, which is its other form, is of no use where clocks may be wrong.
    private static func seconds(_ text: String) -> Duration? {
        guard let seconds = Int(text), seconds >= 0 else { return nil }
        return .seconds(min(seconds, 24 * 60 * 60))
    }

    /// What an answer says that is no yes. OAuth routes refuse in one form, all others in another.
    ///
    /// A refusal can cost keys, so it must be the relying party's: a proxy and another service have problems and codes too.
    private static func refusal(_ received: Received, by route: Route) -> RelyingPartyError {
        if let problem = try? StrictJSON.decode(Problem.self, from: received.body), problem.isOfRelyingParty {
            return .refused(
                RelyingPartyRefusal(
                    code: problem.code, status: received.status, title: problem.title, detail: problem.detail,
                    retryAfter: received.retryAfter, pin: problem.pin, issuedAt: problem.issuedAt))
        }
        if route.isOAuth, let error = try? StrictJSON.decode(OAuthError.self, from: received.body) {
            return .refused(
                RelyingPartyRefusal(
                    code: error.code, status: received.status, title: error.description ?? "No reason was given.",
                    retryAfter: received.retryAfter))
        }
        return .unintelligible(status: received.status)
    }
}
