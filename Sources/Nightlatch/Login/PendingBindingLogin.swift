import NightlatchWire

/// What a login with the keys of a binding that is under way came to.
enum PendingBindingLogin: Sendable {
    /// The relying party has bound them.
    case loggedIn(Session)
    /// It had not bound them yet at this time of its clock.
    case unknown(at: NumericDate)
    /// Nobody can use them: it has revoked them, or they are gone from this device.
    case worthless
}
