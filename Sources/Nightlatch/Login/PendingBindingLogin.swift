import NightlatchWire

/// The result of a login with the keys of a pending binding.
enum PendingBindingLogin: Sendable {
    /// The relying party has bound the keys.
    case loggedIn(Session)
    /// At this time by its clock, the relying party had not bound the keys.
    case unknown(at: NumericDate)
    /// The keys can never be used: the relying party has revoked them, or they are lost or damaged on this device.
    case worthless
}
