/// The session in which a journey ended, as ``Journey/session()`` returns it.
public protocol SSOToken: Codable, Sendable {
    /// The session token, a secret.
    var value: String { get }
    /// The URL to which the server would redirect a browser.
    var successUrl: String { get }
    var realm: String { get }
}

/// The name of ``JourneySession`` in the vendor's SDK.
public typealias SSOTokenImpl = JourneySession
