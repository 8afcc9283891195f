import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// The cookie that keeps the session's token for clients that show it as a cookie alone, as the vendor's legacy SDKs do.
///
/// A browser keeps it, too. So it is out of reach of scripts, is sent to this very host alone (it names no `Domain`), over TLS alone where
/// the issuer is `https`, and never with a request that another site began. Where a browser does not keep to the last, the server does: it
/// takes no cookie from a page of another site.
struct JourneyCookie: Sendable {
    /// Also the name of the header in which clients bring the token.
    let name: String
    private let issuer: Issuer

    init(name: String, issuer: Issuer) {
        self.name = name
        self.issuer = issuer
    }

    /// The token that the client has shown: in the header, or else in the cookie. A client that brings both keeps the newer in the header.
    func token(in request: Request) -> String? {
        if let text = HTTPField.Name(name).flatMap({ request.headers[$0] }), !text.isEmpty { return text }
        return value(in: request)
    }

    /// The cookie's value; nil for none, for a request from a page of another site, and for several that differ: one of them may be another
    /// host's, which may set cookies for a whole domain.
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

    /// Has the client keep `token` until it ends; the server ends the session by itself.
    func set(_ token: JourneyToken) -> Cookie { cookie(token.text, maxAge: nil) }

    /// Has the client forget the cookie.
    func removal() -> Cookie { cookie("", maxAge: 0) }

    private func cookie(_ value: String, maxAge: Int?) -> Cookie {
        Cookie(
            name: name, value: value, maxAge: maxAge, path: "/", secure: issuer.rawValue.hasPrefix("https:"),
            httpOnly: true, sameSite: .strict)
    }
}
