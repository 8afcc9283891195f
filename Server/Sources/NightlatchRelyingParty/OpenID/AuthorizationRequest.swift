package import NightlatchWire

/// A request to the authorization endpoint
/// ([OpenID Connect Core, section 3.1.2.1](https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest)).
///
/// It is read in two steps. Until the app and the redirect URI are known to belong together, nothing may be sent to
/// that address, so errors are shown to the sender. After that they are sent to the app.
package struct AuthorizationRequest: Sendable {
    package let app: App
    package let target: AuthorizationTarget
    package let scopes: [AppScope]
    package let nonce: String?
    package let challenge: CodeChallenge?
    /// Whether the user must authenticate again, `prompt=login`.
    package let forcesLogin: Bool
    /// Whether the user must not be asked anything, `prompt=none`.
    package let forbidsAsking: Bool
    /// The only user that may log in, from `id_token_hint`; nil for any user.
    package internal(set) var expectedUser: UserID?
    /// The greatest time since the user authenticated, `max_age`.
    package let greatestAge: Duration?
    /// The journeys that may have begun the session, `acr_values`.
    package let contextClasses: [String]
    /// The key that must sign the DPoP proof of the token request, `dpop_jkt`
    /// ([RFC 9449, section 10](https://www.rfc-editor.org/rfc/rfc9449#section-10)).
    package let possessionKey: KeyID?

    /// The longest `nonce` in bytes. The ID token repeats it.
    private static let nonceByteCountLimit = 512

    /// Reads the parameters that follow the app and the target.
    ///
    /// - Throws: ``AuthorizationError``, which is sent to the target.
    init(_ fields: [String: String], app: App, target: AuthorizationTarget) throws(AuthorizationError) {
        self.app = app
        self.target = target
        switch fields["response_type"] {
        case "code": break
        case nil: throw .init(.invalidRequest, "The request has no response_type.")
        default: throw .init(.unsupportedResponseType, "The response type must be code.")
        }
        if fields["response_mode"].map({ AuthorizationTarget.Mode(rawValue: $0) == nil }) == true {
            throw .init(.invalidRequest, "The response mode must be query or form_post.")
        }
        if fields["request"] != nil { throw .init(.requestNotSupported, "Request objects are not supported.") }
        let asked = (fields["scope"] ?? "").split(separator: " ").map(String.init)
        // Unknown scopes are ignored, as OpenID Connect asks. The answer of the token endpoint lists the rest.
        scopes = app.scopes.filter { asked.contains($0.rawValue) }
        guard !scopes.isEmpty else { throw .init(.invalidScope, "The request has no scope that the app may have.") }
        nonce = fields["nonce"]
        guard nonce?.utf8.count ?? 0 <= Self.nonceByteCountLimit else {
            throw .init(.invalidRequest, "The nonce must have at most \(Self.nonceByteCountLimit) bytes.")
        }
        challenge = try Self.challenge(in: fields, of: app)
        let prompts = Set((fields["prompt"] ?? "").split(separator: " ").map(String.init))
        guard !prompts.contains("none") || prompts.count == 1 else {
            throw .init(.invalidRequest, "The prompt none must be alone.")
        }
        forbidsAsking = prompts.contains("none")
        forcesLogin = prompts.contains("login") || prompts.contains("select_account")
        greatestAge = try fields["max_age"].map { text throws(AuthorizationError) in
            guard let seconds = Int(text), seconds >= 0 else {
                throw .init(.invalidRequest, "max_age must be a number of seconds.")
            }
            return .seconds(seconds)
        }
        contextClasses = (fields["acr_values"] ?? "").split(separator: " ").map(String.init)
        possessionKey = try fields["dpop_jkt"].map { text throws(AuthorizationError) in
            guard let key = KeyID(rawValue: text) else {
                throw .init(.invalidRequest, "dpop_jkt must be the SHA-256 thumbprint of a key.")
            }
            return key
        }
    }

    /// The challenge of PKCE. An app without credentials must send one
    /// ([RFC 9700, section 2.1.1](https://www.rfc-editor.org/rfc/rfc9700#section-2.1.1)).
    private static func challenge(
        in fields: [String: String], of app: App
    ) throws(AuthorizationError) -> CodeChallenge? {
        guard let text = fields["code_challenge"] else {
            guard app.authentication != .none, fields["code_challenge_method"] == nil else {
                throw .init(.invalidRequest, "The request needs a code_challenge.")
            }
            return nil
        }
        guard fields["code_challenge_method"] == "S256", let challenge = CodeChallenge(rawValue: text) else {
            throw .init(.invalidRequest, "The code_challenge must be a SHA-256 hash, with the method S256.")
        }
        return challenge
    }

    /// Whether `session` is enough for this request.
    ///
    /// - Parameters:
    ///   - session: A live session.
    ///   - served: The context classes of this server. Other values of `acr_values` are ignored, because an app only
    ///     prefers them ([OpenID Connect Core, section
    ///     3.1.2.1](https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest)).
    ///   - now: The time.
    func isSatisfied(by session: JourneySession, served: Set<String>, at now: NumericDate) -> Bool {
        guard !forcesLogin, expectedUser == nil || expectedUser == session.user else { return false }
        if let greatestAge, now > session.beganAt + greatestAge { return false }
        let wanted = contextClasses.filter(served.contains)
        return wanted.isEmpty || wanted.contains(session.journey)
    }
}

/// The address of the answer to an authorization request.
package struct AuthorizationTarget: Hashable, Sendable {
    package let uri: RedirectURI
    package let mode: Mode
    /// The value that the answer must repeat.
    let state: String?

    /// How the parameters of the answer are sent.
    package enum Mode: String, Sendable {
        /// In the query of a redirect.
        case query
        /// In a form that the browser sends
        /// ([OAuth 2.0 Form Post Response Mode](https://openid.net/specs/oauth-v2-form-post-response-mode-1_0.html)).
        case formPost = "form_post"
    }
}

/// An error that the app receives at its redirect URI
/// ([RFC 6749, section 4.1.2.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1)).
struct AuthorizationError: Error, Hashable, Sendable {
    let word: OAuthError.Word
    let description: String

    init(_ word: OAuthError.Word, _ description: String) {
        self.word = word
        self.description = description
    }
}

/// An answer that goes to an app's redirect URI.
package struct AuthorizationAnswer: Hashable, Sendable {
    package let target: AuthorizationTarget
    /// The parameters in their order.
    package let fields: [Field]

    package struct Field: Hashable, Sendable {
        package let name: String
        package let value: String
    }

    /// The error of a refused request; nil for an answer with a code.
    package var error: String? { fields.first { $0.name == "error" }?.value }

    /// Adds `state` as it was sent, and the issuer, by which an app notices an answer of another server
    /// ([RFC 9207](https://www.rfc-editor.org/rfc/rfc9207)).
    init(_ fields: [(String, String)], to target: AuthorizationTarget, from issuer: Issuer) {
        self.target = target
        let state = target.state.map { [("state", $0)] } ?? []
        self.fields = (fields + state + [("iss", issuer.rawValue)]).map { Field(name: $0.0, value: $0.1) }
    }

    init(_ error: AuthorizationError, to target: AuthorizationTarget, from issuer: Issuer) {
        self.init([("error", error.word.rawValue), ("error_description", error.description)], to: target, from: issuer)
    }

    /// The address of a redirect with the parameters in its query.
    package var location: String { target.uri.adding(fields.map { ($0.name, $0.value) }) }
}
