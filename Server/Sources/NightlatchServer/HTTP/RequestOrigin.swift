import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
package import NightlatchWire

extension Request {
    /// Whether a browser sent this request from a page of the same host.
    ///
    /// Over secure connections, browsers send this in `Sec-Fetch-Site`
    /// ([Fetch Metadata](https://www.w3.org/TR/fetch-metadata/)). Without that header, `Origin` must be one of these:
    ///
    /// - the address to which the request was sent, as the browser or a proxy names it
    /// - the relying party's issuer
    ///
    /// False if both headers are missing: a browser with a user's cookie always sends one of them.
    package func isFromOwnPage(of issuer: Issuer) -> Bool {
        let origins = headers[values: .origin]
        guard origins.count <= 1 else { return false }
        let sites = headers[values: .secFetchSite]
        // Compared as bytes: a client may send long values, which are costly to compare as text.
        if !sites.isEmpty { return sites.count == 1 && sites[0].isExactly("same-origin") }
        guard let origin = origins.first else { return false }
        if origin.isExactly(issuer.origin) { return true }
        return head.authority.map { origin.isExactly("http://" + $0) || origin.isExactly("https://" + $0) } ?? false
    }

    /// Whether a browser sent this request from a page of another site or of an unknown site. Other apps send neither
    /// header, so this is false for their requests.
    func isFromForeignPage(of issuer: Issuer) -> Bool {
        let saysPage = !headers[values: .origin].isEmpty || !headers[values: .secFetchSite].isEmpty
        return saysPage && !isFromOwnPage(of: issuer)
    }

    /// Whether the request can be a tab's navigation to an address: it uses GET, and what the browser says about it in
    /// [Fetch Metadata](https://www.w3.org/TR/fetch-metadata/), if anything, is that.
    var isNavigation: Bool {
        method == .get
            && headers[values: .secFetchMode].allSatisfy { $0.isExactly("navigate") }
            && headers[values: .secFetchDest].allSatisfy { $0.isExactly("document") }
    }
}

extension Identifier where Rule == IssuerRule {
    /// The scheme, host and port, in the format of the `Origin` header.
    var origin: String {
        rawValue.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }

    /// Whether browsers reach the relying party over TLS.
    package var isSecure: Bool { rawValue.hasPrefix("https:") }

    /// The path prefix of all routes as browsers see them. It is empty, or a prefix that a proxy removes.
    package var path: String { String(rawValue.dropFirst(origin.count)) }
}
