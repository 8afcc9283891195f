package import HTTPTypes
package import Hummingbird

extension Response {
    /// An answer with a page.
    package init(status: HTTPResponse.Status = .ok, page: String) {
        self.init(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
    }

    /// Redirects the browser to another page with GET
    /// ([RFC 9110, section 15.4.4](https://www.rfc-editor.org/rfc/rfc9110#section-15.4.4)).
    package init(seeOther address: String) {
        self.init(status: .seeOther, headers: [.location: address])
    }
}

extension HTTPFields {
    /// Adds the headers that protect a page in a browser. Headers that the answer has already are kept.
    ///
    /// - Parameter contentSecurityPolicy: The policy for loading, scripts and forms
    ///   ([CSP level 3](https://www.w3.org/TR/CSP3/)).
    package mutating func protectPage(contentSecurityPolicy: String) {
        for (name, value) in [
            (.contentSecurityPolicy, contentSecurityPolicy), (.xContentTypeOptions, "nosniff"),
            (.referrerPolicy, "no-referrer"), (.crossOriginResourcePolicy, "same-origin"),
            (.crossOriginOpenerPolicy, "same-origin"), (.cacheControl, "no-store"),
        ] as [(HTTPField.Name, String)] where !contains(name) {
            self[name] = value
        }
    }
}
