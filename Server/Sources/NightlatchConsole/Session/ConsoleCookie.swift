import Hummingbird
import NightlatchWire

/// The cookie with a browser's session. Scripts cannot read it, and browsers send it only with requests that start at
/// the console.
struct ConsoleCookie: Sendable {
    /// Whether the issuer is an `https` URL. The name then has a prefix with which browsers refuse a cookie that was
    /// set by another host or over plain HTTP (RFC 6265bis,
    /// [section 4.1.3.2](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis-20#section-4.1.3.2)).
    let isSecure: Bool

    init(issuer: Issuer) {
        isSecure = issuer.rawValue.hasPrefix("https:")
    }

    var name: String { (isSecure ? "__Host-" : "") + "nightlatch-console" }

    /// Returns the cookie's value in the request; nil if there is none.
    func value(of request: Request) -> String? { request.cookies[name]?.value }

    /// Creates a cookie that the browser keeps until it is closed.
    func set(_ value: String) -> Cookie { cookie(value, maxAge: nil) }

    /// Creates a cookie that makes the browser delete its own.
    func removal() -> Cookie { cookie("", maxAge: 0) }

    private func cookie(_ value: String, maxAge: Int?) -> Cookie {
        // The prefix requires this path, and a server cannot tell the paths of cookies apart anyway.
        Cookie(
            name: name, value: value, maxAge: maxAge, path: "/", secure: isSecure, httpOnly: true, sameSite: .strict)
    }
}
