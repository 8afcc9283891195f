internal import Foundation
internal import Nightlatch
internal import NightlatchWire

/// The transport of a journey, and the place of its session in requests.
struct OidcTransport: Sendable {
    let transport: any HTTPTransport
    let timeout: Duration
    /// The name of the header with the session.
    let sessionHeader: String
    /// The journey's server. The session is sent only there and to the server of the discovery document.
    let sessionServer: String
}

/// Sends requests to an authorization server and reads its answers.
struct OidcServer: Sendable {
    /// The limits of an answer.
    static let limits = JSONLimits(byteCount: 256 * 1024, depth: 16)

    let transport: OidcTransport

    func discover(_ url: URL) async throws(OidcError) -> OpenIdConfiguration {
        let response = try await send("GET", url, ["Accept": "application/json"])
        guard let document = try Self.object(response).flatMap(OpenIdConfiguration.init) else {
            throw .unintelligible(response.status)
        }
        return document
    }

    /// Sends an authorization request with a session.
    ///
    /// - Returns: The target of the server's redirect, which is not followed.
    func authorize(_ request: AuthorizationRequest, session: String) async throws(OidcError) -> String {
        let headers = [
            transport.sessionHeader: session, "Accept-API-Version": "resource=2.1, protocol=1.0",
            "x-requested-with": "ping-sdk", "x-requested-platform": "ios",
        ]
        let response = try await send("GET", request.url, headers)
        guard (300..<400).contains(response.status), let location = response.header("Location") else {
            _ = try Self.object(response)
            throw .unintelligible(response.status)
        }
        return location
    }

    /// Posts a form to the token endpoint.
    func tokens(_ fields: [(name: String, value: String)], at endpoint: String) async throws(OidcError) -> TokenAnswer {
        let response = try await post(fields, to: endpoint)
        guard let answer = try Self.object(response).flatMap(TokenAnswer.init) else {
            throw .unintelligible(response.status)
        }
        return answer
    }

    /// Revokes a token. Succeeds too if the server does not know it.
    func revoke(_ token: String, client: String, at endpoint: String) async throws(OidcError) {
        let response = try await post([("token", token), ("client_id", client)], to: endpoint)
        guard !(200..<300).contains(response.status) else { return }
        _ = try Self.object(response)
        throw .unintelligible(response.status)
    }

    func userinfo(_ accessToken: String, at endpoint: String) async throws(OidcError) -> JSONObject {
        guard let url = SafeURL(endpoint)?.url else { throw .unusable(endpoint) }
        let response = try await send(
            "GET", url, ["Authorization": "Bearer \(accessToken)", "Accept": "application/json"])
        guard let claims = try Self.object(response) else { throw .unintelligible(response.status) }
        return claims
    }

    private func post(
        _ fields: [(name: String, value: String)],
        to endpoint: String
    ) async throws(OidcError) -> HTTPTransportResponse {
        guard let url = SafeURL(endpoint)?.url else { throw .unusable(endpoint) }
        let headers = ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"]
        return try await send("POST", url, headers, Data(FormText.encode(fields).utf8))
    }

    private func send(
        _ method: String,
        _ url: URL,
        _ headers: [String: String],
        _ body: Data? = nil
    ) async throws(OidcError) -> HTTPTransportResponse {
        do {
            return try await transport.transport.send(
                HTTPTransportRequest(
                    method: method, url: url, headers: headers, body: body, timeout: transport.timeout))
        } catch {
            throw .networkError(cause: error)
        }
    }

    /// Returns the object of an answer with 2xx; nil if it is none.
    ///
    /// - Throws: The server's error for another status.
    private static func object(_ response: HTTPTransportResponse) throws(OidcError) -> JSONObject? {
        var body: JSONObject?
        do {
            body = try JSONValue(parsing: response.body, limits: limits).object
        } catch {
            // A proxy's page. The status says enough.
        }
        guard !(200..<300).contains(response.status) else { return body }
        let fault = body.flatMap(OAuthFault.init)
        throw .apiError(
            code: response.status, message: fault?.text ?? "The answer is not in the form of an OAuth server.")
    }
}

extension OidcError {
    /// The answer has a good status and content of another form.
    static func unintelligible(_ status: Int) -> OidcError {
        .apiError(code: status, message: "The answer is not in the form of an OAuth server.")
    }

    /// The configuration contains an address to which no secret may be sent.
    static func unusable(_ url: String) -> OidcError {
        .unknown(message: "The address \(url) is not https.")
    }

    /// Whether the server says that a refresh token is not valid any more
    /// ([RFC 6749, section 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)).
    var isInvalidGrant: Bool {
        guard case .apiError(400, let message) = self else { return false }
        return message == "invalid_grant" || message.hasPrefix("invalid_grant: ")
    }
}
