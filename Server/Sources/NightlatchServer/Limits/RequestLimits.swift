public import NightlatchRelyingParty

/// The limits beyond which a relying party refuses requests or connections. A request that a limit refuses has no
/// effect.
public struct RequestLimits: Hashable, Sendable {
    /// The maximum size of all headers of a request together, in bytes. The longest proof and the longest token fit.
    public static let headerByteCount = 32 * 1024
    /// The maximum number of headers of a request.
    public static let headerCount = 100
    /// The maximum size of a body, in bytes.
    public static let bodyByteCount = 64 * 1024
    /// The maximum number of requests of one connection that wait while an earlier request is answered. Further
    /// requests are ignored, and the connection is closed after the answers.
    public static let waitingRequestCount = 64
    /// The maximum size of the requests that wait on one connection, in bytes of headers and bodies. A single request
    /// may exceed this size.
    public static let waitingByteCount = 256 * 1024

    /// The number of open files that are reserved for the store and the log, out of those that the process may open.
    static let spareFileCount = 64

    /// The limit on requests from one client address: one IPv4 address, or one IPv6 /64 as a provider assigns it to one
    /// customer. Nil for no limit.
    ///
    /// - Requests of the backend, which need its key, do not count.
    /// - The health routes count separately. They answer every request, so that other clients cannot deprive an
    ///   orchestrator of its answer. Beyond the limit, their requests have no log line.
    ///
    /// Several users may share an address, so the default is generous: 50 requests a second, with bursts of up to 500.
    public var perAddress: RateLimit? = RateLimit(count: 50, period: .seconds(1), burst: 500)
    /// The limit on started logins for one user name, whether or not the user exists. Nil for no limit.
    ///
    /// With a user's name, an attacker can use up the limit. The user then cannot log in, either. So the default is
    /// generous: 60 logins a minute, with bursts of up to 60.
    public var perAccount: RateLimit? = RateLimit(count: 60, period: .seconds(60), burst: 60)
    /// How long the answer to a request beyond ``perAddress``, ``perAccount`` or ``consoleSignIns`` is delayed; zero
    /// for no delay. During the delay the request does not count among ``concurrentRequests``, and later requests of
    /// its connection wait.
    public var answerDelay: Duration = .milliseconds(100)
    /// The limit on console sign-ins from one client address. Nil for no limit. The limit prevents attackers from
    /// filling the log; the console's key cannot be guessed even without a limit.
    public var consoleSignIns: RateLimit? = RateLimit(count: 10, period: .seconds(60), burst: 10)
    /// The maximum number of requests in progress. Further requests are refused at once. A request counts once it has
    /// arrived completely.
    public var concurrentRequests = 1000
    /// How long the rest of a request may take to arrive after its head. After that, the request is refused and its
    /// connection is closed.
    public var arrivalTime: Duration = .seconds(10)
    /// The maximum number of open connections, if the process may open that many files. Further connections are closed
    /// at once.
    public var connections = 10_000
    /// The maximum number of open connections of one client address: one IPv4 address or one IPv6 /64. Further
    /// connections are closed at once. Connections of trusted proxies do not count.
    public var connectionsPerAddress = 500
    /// The proxies whose `X-Forwarded-For` header is trusted.
    public var trustedProxies: [AddressRange] = []

    public init() {}
}
