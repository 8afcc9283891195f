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
    func tokens(_ fields: [(name: String, value: String)], at endpoint: String) async throws(OidcError) -> TokenReply {
        let response = try await post(fields, to: endpoint)
        if response.status == TokenReply.invalidGrantStatus,
            let fault = Self.body(response).flatMap(OAuthFault.init), fault.code == "invalid_grant"
        {
            return .invalidGrant(fault)
        }
        guard let answer = try Self.object(response).flatMap(TokenAnswer.init) else {
            throw .unintelligible(response.status)
        }
        return .tokens(answer)
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
        let body = body(response)
        guard !(200..<300).contains(response.status) else { return body }
        guard let message = body.flatMap({ OAuthFault($0)?.text ?? OAuthFault.ownMessage($0) }) else {
            throw .unintelligible(response.status)
        }
        throw .apiError(code: response.status, message: message)
    }

    /// Returns the object of an answer with any status; nil if it is none.
    private static func body(_ response: HTTPTransportResponse) -> JSONObject? {
        do {
            return try JSONValue(parsing: response.body, limits: limits).object
        } catch {
            // A proxy's page. The status says enough.
            return nil
        }
    }
}

extension OidcError {
    /// The answer's content has another form.
    static func unintelligible(_ status: Int) -> OidcError {
        .apiError(code: status, message: "The answer is not in the form of an OAuth server.")
    }

    /// The configuration contains an address to which no secret may be sent.
    static func unusable(_ url: String) -> OidcError {
        .unknown(message: "The address \(url) is not https.")
    }
}
