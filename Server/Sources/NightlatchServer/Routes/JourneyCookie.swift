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
        if let text = HTTPField.Name(name).flatMap({ request.headers[$0] }), !text.isEmpty { return text }
        return value(in: request)
    }

    /// Returns the cookie's value. Returns nil in these cases:
    ///
    /// - The request has no such cookie.
    /// - The request comes from a page of another site.
    /// - The request has several such cookies that differ. One of them may come from another host, which can set
    ///   cookies for the whole domain.
    func value(in request: Request) -> String? {
        guard !request.isFromForeignPage(of: issuer) else { return nil }
        let start = Array((name + "=").utf8)
        var found: String?
        for header in request.headers[values: .cookie] {
            for pair in header.utf8.split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop { $0 == UInt8(ascii: " ") }
                guard pair.starts(with: start) else { continue }
                let value = String(decoding: pair.dropFirst(start.count), as: UTF8.self)
                guard found?.isExactly(value) ?? true else { return nil }
                found = value
            }
        }
        return found
    }

    /// Creates a cookie that the client keeps until it exits. The server ends the session independently.
    func set(_ token: JourneyToken) -> Cookie { cookie(token.text, maxAge: nil) }

    /// Creates a cookie that makes the client delete its session cookie.
    func removal() -> Cookie { cookie("", maxAge: 0) }

    private func cookie(_ value: String, maxAge: Int?) -> Cookie {
        Cookie(
            name: name, value: value, maxAge: maxAge, path: "/", secure: issuer.rawValue.hasPrefix("https:"),
            httpOnly: true, sameSite: .strict)
    }
}
