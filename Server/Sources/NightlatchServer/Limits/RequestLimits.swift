public import NightlatchRelyingParty

/// How much a relying party takes on before it says "later". What is refused because of these had no effect.
public struct RequestLimits: Hashable, Sendable {
    /// The greatest size of all headers of a request together, in bytes: room for the longest proof beside the longest token.
    public static let headerByteCount = 32 * 1024
    /// The most headers that a request may have.
    public static let headerCount = 100
    /// The greatest body that is read, in bytes.
    public static let bodyByteCount = 64 * 1024
    /// The most requests of one connection that wait while one before them is answered. What is sent beyond is not looked at, and the
    /// connection is closed after the answers.
    public static let waitingRequestCount = 64
    /// The most bytes, in headers and bodies, of those that wait. One alone may wait whatever its size.
    public static let waitingByteCount = 256 * 1024

    /// The files that connections leave to the store and the log, of those that the process may have open.
    static let spareFileCount = 64

    /// The requests of one client address: of one IPv4 address, or of one /64 of IPv6, which is what one customer has. The backend's
    /// routes, for which a key is needed, do not count. The health routes answer every request, so that no other client keeps an
    /// orchestrator from its answer; beyond this limit, which counts there by itself, their requests have no line in the log. Nil for no limit.
    ///
    /// Many people may share an address, so the default is generous: fifty a second for ever, five hundred at once.
    public var perAddress: RateLimit? = RateLimit(count: 50, period: .seconds(1), burst: 500)
    /// The logins that are begun for one user name, whether or not there is such a user. Nil for no limit.
    ///
    /// Whoever knows the name can use them up, and keep the user from logging in meanwhile; so the default is generous too: sixty a
    /// minute for ever, sixty at once.
    public var perAccount: RateLimit? = RateLimit(count: 60, period: .seconds(60), burst: 60)
    /// How long the answer to a request beyond ``perAddress``, ``perAccount`` or ``consoleSignIns`` is kept back; zero
    /// for not at all. It then counts no more among ``concurrentRequests``, and what its connection sends after it
    /// waits.
    public var answerDelay: Duration = .milliseconds(100)
    /// The attempts of one client address to sign in to the console. The key cannot be guessed; this keeps those who try from filling the
    /// log. Nil for no limit.
    public var consoleSignIns: RateLimit? = RateLimit(count: 10, period: .seconds(60), burst: 10)
    /// The requests that are answered at the same time. One more is refused at once. A request counts from when it has come whole.
    public var concurrentRequests = 1000
    /// How long a request may take to come whole once its head has. Then it is refused, and its connection closed.
    public var arrivalTime: Duration = .seconds(10)
    /// The connections that are open at the same time, if the process may open so many files. One more is closed at once.
    public var connections = 10_000
    /// The connections of one client address that are open at the same time: of one IPv4 address, or of one /64 of IPv6. Those of trusted
    /// proxies do not count. One more is closed at once.
    public var connectionsPerAddress = 500
    /// The proxies whose word is taken for the address that a request came from.
    public var trustedProxies: [AddressRange] = []

    public init() {}
}
