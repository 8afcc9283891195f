import Foundation
import Nightlatch
import NightlatchWire

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests to one relying party and interprets its answers.
///
/// It stores only the newest nonce for DPoP proofs: no cookies, no cache, no credentials. Redirects are not followed,
/// since a relying party has none.
struct HTTPConnection: Sendable {
    let issuer: Issuer
    let nonces = ReceivedNonces()
    private static let formType = "application/x-www-form-urlencoded"
    private let timeout: Duration
    private let sessions: HTTPSessions
    /// Sends the requests instead of ``sessions``.
    private let transport: (any HTTPTransport)?

    init(issuer: Issuer, timeout: Duration, transport: (any HTTPTransport)?) {
        self.issuer = issuer
        self.timeout = timeout
        self.transport = transport
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

    /// Same as ``send(_:to:path:headers:)``, for a route that signs its answers and refusals with `key`. Without a
    /// valid signature, only an answer that decides nothing is accepted.
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

    /// Sends `fields` as a form, to a route that confirms by its status alone.
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

    /// Returns the answer, or throws if the server refused the request.
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
        guard !(200..<300).contains(received.status) else { return received }
        let refusal = Self.refusal(received, by: route)
        // The wait is the relying party's statement about the PIN, although the status says that nothing was decided.
        if let key, refusal.isWaitForPin, !received.isSigned(by: key, issuer: issuer, asked: content?.bytes ?? Data()) {
            throw .unintelligible(status: received.status)
        }
        throw refusal
    }

    /// A complete answer.
    private struct Received: Sendable {
        let body: Data
        let status: Int
        let retryAfter: Duration?
        /// The value of the header ``PinAnswerClaims/headerName``.
        let signature: String?

        /// Whether the server carried out or decided something. Other answers come from a server that failed or did not
        /// examine the request.
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
                let received =
                    if let transport {
                        try await answer(to: message, through: transport)
                    } else {
                        try await answer(to: message)
                    }
                return Result<_, RelyingPartyError>.success(received)
            } catch {
                return .failure(error)
            }
        }
        guard let result else {
            throw Task.isCancelled ? .cancelled : .unreachable(reason: "no complete answer within \(timeout)")
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
        // The stream of a cancelled task ends early, without an error.
        guard !Task.isCancelled else { throw .cancelled }
        guard let status else { throw .unintelligible(status: 0) }
        return Received(body: body, status: status, retryAfter: retryAfter, signature: signature)
    }

    private func answer(
        to message: URLRequest,
        through transport: any HTTPTransport
    ) async throws(RelyingPartyError) -> Received {
        guard let url = message.url, let method = message.httpMethod else { throw .unreachable(reason: "no URL") }
        let response: HTTPTransportResponse
        do {
            response = try await transport.send(
                HTTPTransportRequest(
                    method: method, url: url, headers: message.allHTTPHeaderFields ?? [:], body: message.httpBody,
                    timeout: timeout))
        } catch {
            switch error {
            case .unreachable(let reason): throw .unreachable(reason: reason)
            case .tooLarge: throw .unintelligible(status: 0)
            case .cancelled: throw .cancelled
            }
        }
        guard response.body.count <= JSONLimits.message.byteCount else {
            throw .unintelligible(status: response.status)
        }
        await nonces.note(response.header("DPoP-Nonce"))
        return Received(
            body: response.body, status: response.status,
            retryAfter: response.header("Retry-After").flatMap(Self.seconds),
            signature: response.header(PinAnswerClaims.headerName))
    }

    /// Reads the seconds of `Retry-After`, up to a day. The header's other form, a date, is not read, because clocks
    /// may be wrong.
    private static func seconds(_ text: String) -> Duration? {
        guard let seconds = Int(text), seconds >= 0 else { return nil }
        return .seconds(min(seconds, 24 * 60 * 60))
    }

    /// The error for an answer with another status than success. OAuth routes have their own form of refusals.
    ///
    /// A refusal can make the client delete keys, so only a refusal of the relying party counts. Proxies and other
    /// services send problems and codes too.
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

extension RelyingPartyError {
    /// Whether the answer states that the relying party tries no PIN now.
    fileprivate var isWaitForPin: Bool {
        if case .refused(let refusal) = self { refusal.code == .pinWaiting } else { false }
    }
}
