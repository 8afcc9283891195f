import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// The cookie with the session token, for clients that send the token only as a cookie, as the vendor's legacy SDKs do.
///
/// A browser stores this cookie, too. So the cookie is hidden from scripts, and browsers send it:
///
/// - only to this host (it names no `Domain`)
/// - only over TLS, if the issuer is `https`
/// - never with a request that another site started. Not every browser follows this rule, so the server ignores the
///   cookie in requests from pages of other sites.
struct JourneyCookie: Sendable {
    /// The name of the cookie, and of the header in which clients send the token.
    let name: String
    private let issuer: Issuer

    init(name: String, issuer: Issuer) {
        self.name = name
        self.issuer = issuer
    }

    /// Returns the token from the header, or else from the cookie. If a client sends both, the header has the newer
    /// token.
    func token(in request: Request) -> String? {
        header(in: request) ?? value(in: request)
    }

    /// Returns the token from the header; nil if there is none.
    func header(in request: Request) -> String? {
        HTTPField.Name(name).flatMap { request.headers[$0] }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the cookie's value; nil for a request from a page of another site.
    func value(in request: Request) -> String? {
        request.isFromForeignPage(of: issuer) ? nil : request.cookie(named: name)
    }

    /// Creates a cookie that the client keeps until it exits. The server ends the session independently.
    func set(_ token: JourneyToken) -> Cookie { cookie(token.text, maxAge: nil) }

    /// Creates a cookie that makes the client delete its session cookie.
    func removal() -> Cookie { cookie("", maxAge: 0) }

    private func cookie(_ value: String, maxAge: Int?) -> Cookie {
        Cookie(
            name: name, value: value, maxAge: maxAge, path: "/", secure: issuer.isSecure, httpOnly: true,
            sameSite: .strict)
    }
}
