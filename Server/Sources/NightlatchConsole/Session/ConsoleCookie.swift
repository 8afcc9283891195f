import Hummingbird
import NightlatchWire

/// The cookie in which a browser keeps its session: out of reach of scripts, and sent with requests alone that begin at the console.
struct ConsoleCookie: Sendable {
    /// Whether clients know the relying party by `https`. The prefix of the name then makes browsers refuse one that was set by another
    /// host or over plain HTTP
    /// ([RFC 6265bis, section 4.1.3.2](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis-20#section-4.1.3.2)).
    let isSecure: Bool

    init(issuer: Issuer) {
        isSecure = issuer.rawValue.hasPrefix("https:")
    }

    var name: String { (isSecure ? "__Host-" : "") + "nightlatch-console" }

    /// What the browser sent under the name.
    func value(of request: Request) -> String? { request.cookies[name]?.value }

    /// Has the browser keep `value` until it is closed.
    func set(_ value: String) -> Cookie { cookie(value, maxAge: nil) }

    /// Has the browser forget it.
    func removal() -> Cookie { cookie("", maxAge: 0) }

    private func cookie(_ value: String, maxAge: Int?) -> Cookie {
        // The prefix demands this path; cookies of another would not be told apart anyway.
        Cookie(
            name: name, value: value, maxAge: maxAge, path: "/", secure: isSecure, httpOnly: true, sameSite: .strict)
    }
}
