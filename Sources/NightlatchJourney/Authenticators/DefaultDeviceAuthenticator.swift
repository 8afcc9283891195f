public import Foundation

/// A base class for a program's own authenticators. A subclass says which protection it wants, checks the app's claims
/// and sets the times of the message.
///
/// This module makes and uses the keys itself and hands out none. So the methods of the vendor's class that make, find,
/// use or remove a key (`register`, `authenticate`, `sign`, `accessControl`, `deleteKeys`) do not exist here.
open class DefaultDeviceAuthenticator: DeviceAuthenticator {
    /// Returns the current time; `bind` and `sign` set it to the environment's clock.
    var now: () -> Date = { Date() }

    public init() {}

    open func type() -> DeviceBindingAuthenticationType { .none }

    open func isSupported(attestation: Attestation) -> Bool { true }

    open var config: (any AuthenticatorConfig)? { nil }

    /// Receives the server's texts before the user is asked.
    open func setPrompt(_ prompt: Prompt) {}

    /// Returns the message's time of issue.
    open func issueTime() -> Date { now() }

    /// Returns the start of the message's validity.
    open func notBeforeTime() -> Date { now() }

    /// Whether the claims may be signed. Claims with reserved names are refused in any case.
    open func validateCustomClaims(_ claims: [String: Any]) -> Bool { ReservedClaims.names(in: claims).isEmpty }
}
