package import Hummingbird
package import NightlatchWire

/// A cookie of the login page. Scripts cannot read it, and the browser keeps it until it is closed.
///
/// Browsers send it when a user comes from another site, because apps send their users to the authorization endpoint.
/// They do not send it with forms, frames and scripts of other sites. The server ignores it there too, because not
/// every browser follows this rule.
package struct BrowserCookie: Sendable {
    private let name: String
    private let issuer: Issuer

    private init(_ name: String, issuer: Issuer) {
        // Browsers refuse a cookie with this prefix if another host sets it, or if it is set over plain HTTP
        // (RFC 6265bis, section 4.1.3.2).
        self.name = (issuer.isSecure ? "__Host-" : "") + name
        self.issuer = issuer
    }

    /// The cookie with the `BrowserSecret`.
    package static func secret(of issuer: Issuer) -> Self { Self("nightlatch-login", issuer: issuer) }

    /// The cookie with the token of the session that the login page began.
    package static func session(of issuer: Issuer) -> Self { Self("nightlatch-session", issuer: issuer) }

    /// Returns the cookie's value, unless a page of another site sent the request in another way than by a navigation.
    package func value(in request: Request) -> String? {
        if request.isFromForeignPage(of: issuer), !request.isNavigation { return nil }
        return request.cookie(named: name)
    }

    package func set(_ value: String) -> Cookie { cookie(value, maxAge: nil) }

    /// Creates a cookie that makes the browser delete its cookie.
    package func removal() -> Cookie { cookie("", maxAge: 0) }

    private func cookie(_ value: String, maxAge: Int?) -> Cookie {
        Cookie(
            name: name, value: value, maxAge: maxAge, path: "/", secure: issuer.isSecure, httpOnly: true,
            sameSite: .lax)
    }
}
