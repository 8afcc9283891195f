/// A way for a person to open a profile's vault.
public enum Authenticator: String, Codable, Hashable, Sendable, CaseIterable {
    /// The profile's PIN. It is there for as long as the profile is registered, and everything else falls back to it.
    case pin
    /// What the device knows of the person's body. It releases a key; it never only says yes.
    case biometrics
}
