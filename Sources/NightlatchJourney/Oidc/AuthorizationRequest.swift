internal import Crypto
internal import Foundation
internal import NightlatchWire

/// One request for an authorization code, with what its answer must match.
struct AuthorizationRequest: Sendable {
    let url: URL
    /// The secret that proves to the token endpoint who made the request
    /// ([RFC 7636](https://www.rfc-editor.org/rfc/rfc7636)).
    let verifier: String
    let nonce: String?
    private let state: String
    private let redirectUri: String
    private let issuer: String?
    private let mustNameIssuer: Bool

    /// Creates a request with new random values. Returns nil if the endpoint is not a URL.
    init?(_ settings: OidcClientConfig.Settings, at server: OpenIdConfiguration) {
        verifier = Self.randomText()
        state = settings.state ?? Self.randomText()
        nonce = settings.nonce ?? (settings.scopes.contains("openid") ? Self.randomText() : nil)
        redirectUri = settings.redirectUri
        issuer = server.issuer
        mustNameIssuer = server.namesIssuer == true
        let challenge = Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8))))
        var fields: [(name: String, value: String)] = [
            ("client_id", settings.clientId), ("response_type", "code"),
            ("scope", settings.scopes.sorted().joined(separator: " ")), ("redirect_uri", redirectUri),
            ("state", state), ("code_challenge", challenge), ("code_challenge_method", "S256"),
        ]
        let optional = [
            ("nonce", nonce), ("acr_values", settings.acrValues), ("display", settings.display),
            ("login_hint", settings.loginHint), ("prompt", settings.prompt), ("ui_locales", settings.uiLocales),
        ]
        for (name, value) in optional { if let value { fields.append((name, value)) } }
        for (name, value) in settings.additionalParameters.sorted(by: { $0.key < $1.key })
        where !fields.contains(where: { $0.name == name }) {
            fields.append((name, value))
        }
        let endpoint = server.authorizationEndpoint
        let text = endpoint + (endpoint.contains("?") ? "&" : "?") + FormText.encode(fields)
        guard let url = URL(string: text, encodingInvalidCharacters: false) else { return nil }
        self.url = url
    }

    /// Reads the code from the target of the server's redirect.
    ///
    /// `state` and `iss` are checked first, so an answer that an attacker made has no effect.
    ///
    /// - Throws: ``OidcError/authorizeError(cause:message:)`` with an ``AuthorizationFault``. The server sent an error,
    ///   or the answer leads elsewhere, is not readable, or has another `state` or `iss`.
    func code(in location: String) throws(OidcError) -> String {
        guard let fields = self.fields(in: location) else { throw .foreign("The answer leads to another address.") }
        guard fields["state"] == state else { throw .foreign("The answer belongs to another request.") }
        guard fields["iss"] != nil || !mustNameIssuer, issuer == nil || (fields["iss"] ?? issuer) == issuer else {
            throw .foreign("The answer is from another server.")
        }
        if let error = fields["error"] {
            let fault = OAuthFault(code: error, description: fields["error_description"])
            throw .authorizeError(cause: AuthorizationFault.refused(fault), message: fault.text)
        }
        guard let code = fields["code"], !code.isEmpty else { throw .foreign("The answer contains no code.") }
        return code
    }

    private func fields(in location: String) -> [String: String]? {
        guard location.utf8.starts(with: redirectUri.utf8) else { return nil }
        let separator = redirectUri.contains("?") ? "&" : "?"
        let rest = Substring(location.utf8.dropFirst(redirectUri.utf8.count))
        guard rest.hasPrefix(separator) else { return nil }
        let query = rest.dropFirst()
        return FormText.decode(query.prefix { $0 != "#" })
    }

    /// 43 characters with 256 random bits, which every parameter and form may contain unescaped.
    private static func randomText() -> String { Base64URL.encode(randomBytes(count: 32)) }
}
