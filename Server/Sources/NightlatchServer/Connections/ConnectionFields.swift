import NIOHTTP1

/// The properties of a request's head that concern its connection.
struct ConnectionFields {
    /// Whether the request names exactly one host. An HTTP/1.0 request may name none
    /// ([RFC 9112, section 3.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2)).
    let isHostGood: Bool
    /// Whether this is the last request that the server answers on its connection.
    ///
    /// A request is the last if it asks to close the connection
    /// ([section 9.3](https://www.rfc-editor.org/rfc/rfc9112#section-9.3)). It is also the last if it asks for another
    /// protocol, since the bytes after it would not be HTTP. The server never changes protocols. It answers as if the
    /// client had not asked ([RFC 9110, section 7.8](https://www.rfc-editor.org/rfc/rfc9110#section-7.8)).
    let isLast: Bool
    /// Whether the request's HTTP version is at least 1.1, which supports the status 100 (Continue) and chunks.
    let isCurrent: Bool
    /// The length of the target and of all headers, in bytes.
    let byteCount: Int

    init(of head: HTTPRequestHead) {
        isCurrent = head.version.minor > 0
        var hostCount = 0
        var asksForAnother = head.method == .CONNECT
        var byteCount = head.uri.utf8.count
        for (name, value) in head.headers {
            byteCount += name.utf8.count + value.utf8.count
            switch name.utf8.count {
            case 4 where name.lowercased() == "host": hostCount += 1
            case 7 where name.lowercased() == "upgrade": asksForAnother = true
            default: break
            }
        }
        isHostGood = hostCount == 1 || hostCount == 0 && !isCurrent
        self.byteCount = byteCount
        isLast = asksForAnother || !isCurrent || !head.isKeepAlive
    }
}
