internal import Foundation

/// The settings of a ``Journey``.
public final class JourneyConfig: WorkflowConfig {
    /// The server's URL, such as `https://example.com/am`: `https`, or `http` for a loopback address.
    public var serverUrl: String?
    /// The realm of the journeys.
    public var realm = "root"
    /// The name of the server's session cookie, and of the header with the session token.
    public var cookie = "iPlanetDirectoryPro"
    /// The user's languages, the preferred one first, for `Accept-Language`.
    public var languages = Locale.preferredLanguages
    /// The environment for device binding. Without it, `bind` and `sign` answer that the device is not supported.
    public var deviceBinding: DeviceBindingEnvironment?
}

/// The options for starting a journey.
public struct JourneyOptions: Hashable, Sendable {
    /// Whether the user must authenticate although there is a session.
    public var forceAuth = false
    /// Whether the journey ends without a session.
    public var noSession = false

    public init() {}
}

/// The name of ``JourneyOptions`` in the vendor's SDK.
public typealias Options = JourneyOptions
