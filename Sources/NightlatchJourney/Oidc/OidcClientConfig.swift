package import Foundation
internal import Nightlatch

/// The module for tokens of a ``Journey``'s user: the authorization code flow of OpenID Connect with PKCE.
///
/// ```swift
/// config.module(OidcModule.config) { oidc in
///     oidc.clientId = "my-app"
///     oidc.scopes = ["openid", "profile"]
///     oidc.redirectUri = "com.example.app:/oauth2redirect"
///     oidc.discoveryEndpoint = "https://example.com/am/oauth2/alpha/.well-known/openid-configuration"
/// }
/// ```
///
/// Nothing is requested before the app asks for tokens. The server must know the app as a public client with exactly
/// this redirect URI, and must not ask the user for consent. No page is shown and no redirect is followed.
public enum OidcModule {
    public static let config = Module<OidcClientConfig>("oidc") { OidcClientConfig() }
}

/// The settings of an app as a client of an authorization server. They count from the creation of the journey on.
public final class OidcClientConfig: Sendable {
    struct Settings: Sendable {
        var openId: OpenIdConfiguration?
        var refreshThreshold: Int64 = 0
        var discoveryEndpoint = ""
        var clientId = ""
        var scopes: Set<String> = []
        var redirectUri = ""
        var loginHint: String?
        var state: String?
        var nonce: String?
        var display: String?
        var prompt: String?
        var uiLocales: String?
        var acrValues: String?
        var additionalParameters: [String: String] = [:]
        var logger: (any JourneyLogger)?
        var storage: (any Storage<Token>)?
        var now: @Sendable () -> Date = { Date() }
        var isQueued: @Sendable () -> Void = {}
    }

    private let content = Locked(Settings())
    private let memory = MemoryStorage<Token>()

    public init() {}

    var settings: Settings { content.withLock { $0 } }

    /// The server's endpoints. If they are not set, the discovery document is read once for this object.
    public var openId: OpenIdConfiguration? {
        get { settings.openId }
        set { content.withLock { $0.openId = newValue } }
    }
    /// The number of seconds before the end of the access token from which ``User/token()`` renews it.
    public var refreshThreshold: Int64 {
        get { settings.refreshThreshold }
        set { content.withLock { $0.refreshThreshold = newValue } }
    }
    /// The URL of the discovery document: `https`, or `http` for a loopback address.
    public var discoveryEndpoint: String {
        get { settings.discoveryEndpoint }
        set { content.withLock { $0.discoveryEndpoint = newValue } }
    }
    /// The app's name at the server.
    public var clientId: String {
        get { settings.clientId }
        set { content.withLock { $0.clientId = newValue } }
    }
    public var scopes: Set<String> {
        get { settings.scopes }
        set { content.withLock { $0.scopes = newValue } }
    }
    /// The redirect URI as the server knows it, character by character. It is never opened.
    public var redirectUri: String {
        get { settings.redirectUri }
        set { content.withLock { $0.redirectUri = newValue } }
    }
    /// `login_hint`.
    public var loginHint: String? {
        get { settings.loginHint }
        set { content.withLock { $0.loginHint = newValue } }
    }
    /// A constant `state`. Nil, which is better, for a random one in each request.
    public var state: String? {
        get { settings.state }
        set { content.withLock { $0.state = newValue } }
    }
    /// A constant `nonce`. Nil, which is better, for a random one in each request with the scope `openid`.
    public var nonce: String? {
        get { settings.nonce }
        set { content.withLock { $0.nonce = newValue } }
    }
    /// `display`.
    public var display: String? {
        get { settings.display }
        set { content.withLock { $0.display = newValue } }
    }
    /// `prompt`.
    public var prompt: String? {
        get { settings.prompt }
        set { content.withLock { $0.prompt = newValue } }
    }
    /// `ui_locales`.
    public var uiLocales: String? {
        get { settings.uiLocales }
        set { content.withLock { $0.uiLocales = newValue } }
    }
    /// `acr_values`.
    public var acrValues: String? {
        get { settings.acrValues }
        set { content.withLock { $0.acrValues = newValue } }
    }
    /// Further parameters of the authorization request. A parameter that the module sends itself is not replaced.
    public var additionalParameters: [String: String] {
        get { settings.additionalParameters }
        set { content.withLock { $0.additionalParameters = newValue } }
    }
    /// The logger. Nil for the journey's logger.
    public var logger: (any JourneyLogger)? {
        get { settings.logger }
        set { content.withLock { $0.logger = newValue } }
    }
    /// The storage of the tokens: initially one in memory. The journey uses that only if ``WorkflowConfig/secureStore``
    /// is not set either.
    public var storage: any Storage<Token> {
        get { settings.storage ?? memory }
        set { content.withLock { $0.storage = newValue } }
    }

    /// Adds a scope.
    public func scope(_ scope: String) {
        content.withLock { _ = $0.scopes.insert(scope) }
    }

    /// Returns the current time. Tests replace it.
    package var now: @Sendable () -> Date {
        get { settings.now }
        set { content.withLock { $0.now = newValue } }
    }

    /// Called when a call for tokens has joined an operation or started one. Tests wait for it.
    package var isQueued: @Sendable () -> Void {
        get { settings.isQueued }
        set { content.withLock { $0.isQueued = newValue } }
    }
}
