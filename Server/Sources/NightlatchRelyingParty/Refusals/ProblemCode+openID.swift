package import NightlatchWire

/// Codes of refusals to apps that use OpenID Connect. `docs/openid-connect.md` lists them. No device gets them.
extension ProblemCode {
    /// No registered app has the client id of the request.
    package static let appUnknown = Self(rawValue: "app_unknown")
    /// The app's credentials are missing or wrong.
    package static let appAuthenticationRefused = Self(rawValue: "app_authentication_refused")
    /// The app has not registered the redirect URI. The server does not redirect to it.
    package static let redirectURIRefused = Self(rawValue: "redirect_uri_refused")
    /// The authorization code is unknown, expired or used, or belongs to another request. Ask for a new one.
    package static let codeRefused = Self(rawValue: "code_refused")

    /// The access token is valid, but the app did not ask for the scope `openid`.
    package static let scopeInsufficient = Self(rawValue: "scope_insufficient")

    /// All of these codes.
    package static let ofOpenID: [Self] = [
        .scopeInsufficient, .appUnknown, .appAuthenticationRefused, .redirectURIRefused, .codeRefused,
    ]
}
