import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
package import NightlatchWire

extension Request {
    /// Whether a browser sent this from a page of the very host that it was sent to.
    ///
    /// Browsers say so themselves where the connection is safe ([Fetch Metadata](https://www.w3.org/TR/fetch-metadata/)). Where they do
    /// not, the page's origin must be the address that the request was sent to, as the browser or a proxy in between names it, or
    /// the relying party's own. Who says neither is no browser with somebody's cookie, and is refused.
    package func isFromOwnPage(of issuer: Issuer) -> Bool {
        let origins = headers[values: .origin]
        guard origins.count <= 1 else { return false }
        let sites = headers[values: .secFetchSite]
        // In bytes: what a client sends may be long, and costly to compare as text.
        if !sites.isEmpty { return sites.count == 1 && sites[0].isExactly("same-origin") }
        guard let origin = origins.first else { return false }
        if origin.isExactly(issuer.origin) { return true }
        return head.authority.map { origin.isExactly("http://" + $0) || origin.isExactly("https://" + $0) } ?? false
    }

    /// Whether a browser sent this from a page of another site, or does not say from which. Apps that are no browsers say nothing of pages.
    func isFromForeignPage(of issuer: Issuer) -> Bool {
        let saysPage = !headers[values: .origin].isEmpty || !headers[values: .secFetchSite].isEmpty
        return saysPage && !isFromOwnPage(of: issuer)
    }
}

extension Identifier where Rule == IssuerRule {
    /// Scheme, host and port, as a browser names an origin.
    var origin: String {
        rawValue.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }

    /// What stands before the paths of its routes, as browsers see them: empty, or a path that a proxy takes away.
    package var path: String { String(rawValue.dropFirst(origin.count)) }
}
