package import HTTPTypes

extension HTTPField {
    static let json = HTTPField(name: .contentType, value: "application/json")
    /// Tells browsers to use only https for this host for one year
    /// ([RFC 6797](https://www.rfc-editor.org/rfc/rfc6797#section-6.1)).
    static let httpsAlone = HTTPField(name: .strictTransportSecurity, value: "max-age=31536000")
    /// Keeps an answer out of all caches.
    static let noStore = HTTPField(name: .cacheControl, value: "no-store")
}

extension HTTPField.Name {
    /// The DPoP proof ([RFC 9449, section 4.1](https://www.rfc-editor.org/rfc/rfc9449#section-4.1)).
    static let dpop = named("DPoP")
    /// The nonce for the next proof ([RFC 9449, section 8.1](https://www.rfc-editor.org/rfc/rfc9449#section-8.1)).
    static let dpopNonce = named("DPoP-Nonce")
    /// The request's id in this relying party's log.
    static let requestID = named("X-Request-Id")

    /// Keeps answers with tokens out of HTTP/1.0 caches
    /// ([RFC 6749, section 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1)).
    static let pragma = named("Pragma")

    /// The signature of an answer about a two-party PIN, `PinAnswerClaims.headerName`.
    static let pinAnswer = named("Nightlatch-Answer")

    /// The client's address, as proxies report it; see ``ClientAddress``.
    static let xForwardedFor = named("X-Forwarded-For")

    /// The pages that may load an answer
    /// ([Fetch, section 3.6](https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header)).
    static let crossOriginResourcePolicy = named("Cross-Origin-Resource-Policy")
    /// The windows that share a browsing context group with a page
    /// ([HTML, section 7.1.3](https://html.spec.whatwg.org/multipage/browsers.html#the-coop-headers)).
    package static let crossOriginOpenerPolicy = named("Cross-Origin-Opener-Policy")
    package static let referrerPolicy = named("Referrer-Policy")
    /// The relation between the page that sent the request and this host
    /// ([Fetch Metadata](https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header)).
    static let secFetchSite = named("Sec-Fetch-Site")
    /// The mode of the request, such as `navigate`
    /// ([Fetch Metadata](https://www.w3.org/TR/fetch-metadata/#sec-fetch-mode-header)).
    static let secFetchMode = named("Sec-Fetch-Mode")
    /// The use of the answer, such as `document` or `iframe`
    /// ([Fetch Metadata](https://www.w3.org/TR/fetch-metadata/#sec-fetch-dest-header)).
    static let secFetchDest = named("Sec-Fetch-Dest")
    /// The version of PingAM's API that the vendor's SDKs ask for.
    static let acceptAPIVersion = named("Accept-API-Version")
    /// The kind of client. The vendor's SDKs send `ping-sdk` or `forgerock-sdk`.
    static let xRequestedWith = named("X-Requested-With")

    private static func named(_ name: StaticString) -> Self {
        guard let field = Self(name.description) else { preconditionFailure("not a header name: \(name)") }
        return field
    }
}
