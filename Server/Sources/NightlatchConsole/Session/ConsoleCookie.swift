import Hummingbird
import NightlatchServer
import NightlatchWire

/// The cookie with a browser's session. Scripts cannot read it, and browsers send it only with requests that start at
/// the console's site.
struct ConsoleCookie: Sendable {
    /// Whether the issuer is an `https` URL. If so, the cookie's name has a prefix. Browsers refuse a cookie with this
    /// prefix if another host sets it, or if it is set over plain HTTP (RFC 6265bis,
    /// [section 4.1.3.2](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis-20#section-4.1.3.2)).
    let isSecure: Bool

    init(issuer: Issuer) {
        isSecure = issuer.isSecure
    }

    var name: String { (isSecure ? "__Host-" : "") + "nightlatch-console" }

    /// Returns the cookie's value in the request; nil if there is none.
    func value(of request: Request) -> String? { request.cookies[name]?.value }

    /// Creates a cookie that the browser keeps until the browser is closed.
    func set(_ value: String) -> Cookie { cookie(value, maxAge: nil) }

    /// Creates a cookie that makes the browser delete its session cookie.
    func removal() -> Cookie { cookie("", maxAge: 0) }

    private func cookie(_ value: String, maxAge: Int?) -> Cookie {
        // The name's prefix requires this path. A narrower path would not help: a request does not contain the paths of
        // its cookies.
        Cookie(
            name: name, value: value, maxAge: maxAge, path: "/", secure: isSecure, httpOnly: true, sameSite: .strict)
    }
}
