import NIOHTTP1

/// What a request says of its connection.
struct ConnectionFields {
    /// It names one host, which only the first version of the protocol may leave out
    /// ([RFC 9112, section 3.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2)).
    let isHostGood: Bool
    /// Nothing that follows it is served: it says so ([section 9.3](https://www.rfc-editor.org/rfc/rfc9112#section-9.3)), or it asks for
    /// another protocol, after which nothing that comes would be read as HTTP. None is changed to, and it is answered as if it had not asked
    /// ([RFC 9110, section 7.8](https://www.rfc-editor.org/rfc/rfc9110#section-7.8)).
    let isLast: Bool
    /// It is in a version that knows of being told to go on.
    let isCurrent: Bool
    /// The length of its target and of all headers.
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
