public import Foundation
public import Nightlatch

/// What a ``Journey`` is made with.
public final class JourneyConfig {
    /// Where the server is, such as `https://example.com/am`: `https`, or `http` to a loopback address.
    public var serverUrl: String?
    /// The realm whose journeys are started.
    public var realm = "root"
    /// What the server calls its session cookie, which is also the header that the session token travels in.
    public var cookie = "iPlanetDirectoryPro"
    /// How many seconds the server has for each answer.
    public var timeout: TimeInterval = 30
    /// What the person reads, best first, as in `Accept-Language`.
    public var languages = Locale.preferredLanguages
    public var logger: (any JourneyLogger)?
    /// How the server is reached: `URLSessionTransport` of `NightlatchPlatform`.
    public var transport: (any HTTPTransport)?
    /// What device binding needs of the device. Without it `bind` and `sign` answer that the device is not supported.
    public var deviceBinding: DeviceBindingEnvironment?

    init() {}
}

/// How a journey is started.
public struct JourneyOptions: Hashable, Sendable {
    /// Whether the person is to authenticate although there is a session.
    public var forceAuth = false
    /// Whether the journey is to end without a session.
    public var noSession = false
}
