public import NightlatchWire

/// An app that may use the relying party, as an operator registers it.
///
/// In JSON its members have the names of OAuth client metadata
/// ([RFC 7591, section 2](https://www.rfc-editor.org/rfc/rfc7591#section-2)). Members that are not listed there:
///
/// | member | value |
/// |---|---|
/// | `binds_devices` | whether devices may use the id as `iss` of their messages |
/// | `access_token_seconds`, `refresh_token_seconds` | lifetimes; 0 for no refresh token |
/// | `device_policy` | `many` or `one`; absent for the server's policy |
///
/// Decoding is strict: an unknown value and a contradiction between members are errors.
public struct App: Hashable, Sendable {
    public let id: ClientID
    /// The name that users see, `client_name`.
    public var name: AppName
    public var authentication: AppAuthentication
    /// The addresses that an authorization request may name, `redirect_uris`.
    public var redirectURIs: [RedirectURI]
    /// The addresses that a request to end a session may name, `post_logout_redirect_uris`.
    public var logoutURIs: [RedirectURI]
    /// The scopes that the app may have, `scope`.
    public var scopes: [AppScope]
    /// The kind of the app's tokens, `dpop_bound_access_tokens`. An app with DPoP-bound tokens gets no bearer tokens.
    public var tokenKind: AppTokenKind
    /// Whether devices may name this app as the issuer of their messages.
    public var bindsDevices: Bool
    /// The lifetime of an access token and of an ID token.
    public var accessTokenLife: Duration
    /// The lifetime of an unused refresh token; nil if the app gets none.
    public var refreshTokenLife: Duration?
    /// The effect of a new binding through this app; nil for the server's policy.
    public var devicePolicy: DevicePolicy?

    /// The longest list of addresses or scopes.
    public static let listLimit = 32
    /// The largest number of keys of an app that authenticates with them.
    public static let keyLimit = 16
    /// The largest size of all addresses together, in bytes. The JSON of an app is then smaller than
    /// `JSONLimits.message`.
    public static let addressByteCountLimit = 32 * 1024
    /// The permitted lifetimes of access tokens, in seconds.
    public static let accessTokenSeconds = 30...3600
    /// The permitted lifetimes of refresh tokens, in seconds.
    public static let refreshTokenSeconds = 60...31_536_000

    /// Makes a public app with the default lifetimes, the scopes of OpenID Connect and bearer tokens.
    public init(id: ClientID, name: AppName, redirectURIs: [RedirectURI] = []) {
        self.id = id
        self.name = name
        authentication = .none
        self.redirectURIs = redirectURIs
        logoutURIs = []
        scopes = AppScope.standard
        tokenKind = .bearer
        bindsDevices = false
        accessTokenLife = .seconds(5 * 60)
        refreshTokenLife = .seconds(30 * 24 * 60 * 60)
        devicePolicy = nil
    }

    /// Whether an authorization request may name `uri`.
    package func permits(_ uri: RedirectURI) -> Bool { redirectURIs.contains { $0.permits(uri) } }

    /// The rule that the members break together, in words that follow "The app"; nil if they break none.
    public var problem: String? {
        let addresses = redirectURIs + logoutURIs
        if Set(redirectURIs).count != redirectURIs.count || Set(logoutURIs).count != logoutURIs.count {
            return "must not list an address twice"
        }
        if Set(scopes).count != scopes.count { return "must not repeat a word in scope" }
        if [redirectURIs.count, logoutURIs.count, scopes.count].contains(where: { $0 > Self.listLimit }) {
            return "must have at most \(Self.listLimit) redirect URIs, logout URIs and scopes each"
        }
        if addresses.reduce(0, { $0 + $1.rawValue.utf8.count }) > Self.addressByteCountLimit {
            return "must have at most \(Self.addressByteCountLimit) bytes of addresses"
        }
        if !Self.accessTokenSeconds.contains(accessTokenLife) {
            return "must have access_token_seconds from \(Self.accessTokenSeconds.text)"
        }
        if let refreshTokenLife, !Self.refreshTokenSeconds.contains(refreshTokenLife) {
            return "must have refresh_token_seconds of 0, or from \(Self.refreshTokenSeconds.text)"
        }
        if case .privateKey(let keys) = authentication, !(1...Self.keyLimit).contains(keys.keys.count) {
            return "must have 1 to \(Self.keyLimit) keys in jwks"
        }
        return nil
    }
}

extension ClosedRange<Int> {
    fileprivate var text: String { "\(lowerBound) to \(upperBound)" }

    fileprivate func contains(_ life: Duration) -> Bool {
        life == .seconds(life.components.seconds) && contains(Int(life.components.seconds))
    }
}
