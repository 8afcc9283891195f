package import Hummingbird
package import Logging
package import NIOCore

/// The context of a request: its id, its body, its logger and the client's address.
package struct RelyingPartyRequestContext: RequestContext, RemoteAddressRequestContext {
    /// The log metadata key of a request's id.
    static let idKey = "hb.request.id"

    package var coreContext: CoreRequestContextStorage
    package let remoteAddress: SocketAddress?
    /// The request's id. It is in the answer and in the request's log lines.
    package let id: String
    /// The request's body.
    var content: RequestContent
    /// Whether the request may have log lines. If not, it is only counted.
    var hasLines = true
    private let plainLogger: Logger

    /// A logger that adds the request's id to its lines. It is created on use, since most requests have only the line
    /// of ``RequestLog``.
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

    /// Creates a context without a body. The id is taken from the source's logger.
    package init(source: ApplicationRequestContextSource) {
        let id = source.logger[metadataKey: Self.idKey]?.description ?? ""
        self.init(source: source, id: id, content: .whole(ByteBuffer()))
    }
}
