public import NightlatchWire

/// How an app authenticates at the token endpoint, `token_endpoint_auth_method`.
public enum AppAuthentication: Hashable, Sendable {
    /// A public app has no credentials. It proves with PKCE that it asked for the code.
    case none
    /// HTTP Basic with a secret of 32 random bytes
    /// ([RFC 6749, section 2.3.1](https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1)).
    case secret(AppSecretHash)
    /// A signed assertion ([RFC 7523, section 2.2](https://www.rfc-editor.org/rfc/rfc7523#section-2.2)).
    case privateKey(JWKSet)

    /// The name of a way to authenticate in client metadata.
    public enum Method: String, Codable, Hashable, Sendable, CaseIterable {
        case none
        case secret = "client_secret_basic"
        case privateKey = "private_key_jwt"
    }

    public var method: Method {
        switch self {
        case .none: .none
        case .secret: .secret
        case .privateKey: .privateKey
        }
    }
}

/// SHA-256 of an app's secret. A secret has 256 random bits, so its hash can be stored and does not reveal it.
public typealias AppSecretHash = StoredHash<AppSecretSubject>

/// The subject of the hash of an app's secret.
public enum AppSecretSubject: StoredHashSubject {}

/// Whether an app's tokens are bound to a key.
public enum AppTokenKind: Hashable, Sendable, CaseIterable {
    /// Possession of the token is enough to use it ([RFC 6750](https://www.rfc-editor.org/rfc/rfc6750)).
    case bearer
    /// Each use needs a proof by the key of the first request ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449)).
    case dpop
}
