package import Hummingbird
package import Logging
package import NIOCore

/// What a request brings along besides itself.
package struct RelyingPartyRequestContext: RequestContext, RemoteAddressRequestContext {
    /// Under this key lines of the log have a request's id.
    static let idKey = "hb.request.id"

    package var coreContext: CoreRequestContextStorage
    package let remoteAddress: SocketAddress?
    /// The request's name, which its answer and its lines in the log bear.
    package let id: String
    /// The request's body.
    var content: RequestContent
    /// Whether what comes of the request is written into the log. If not, it is only counted.
    var hasLines = true
    private let plainLogger: Logger

    /// What writes lines that bear the request's id. Made when it is asked for, since most requests have no line but that of the
    /// ``RequestLog``.
    package var logger: Logger {
        var logger = plainLogger
        logger[metadataKey: Self.idKey] = .string(id)
        return logger
    }

    init(source: ApplicationRequestContextSource, id: String, content: RequestContent) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
        plainLogger = source.logger
        self.id = id
        self.content = content
    }

    /// For a request whose id the source's logger bears; without its body.
    package init(source: ApplicationRequestContextSource) {
        let id = source.logger[metadataKey: Self.idKey]?.description ?? ""
        self.init(source: source, id: id, content: .whole(ByteBuffer()))
    }
}
