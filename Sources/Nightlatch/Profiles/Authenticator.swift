/// A proof with which the user opens a profile's vault.
public enum Authenticator: String, Codable, Hashable, Sendable, CaseIterable {
    /// The profile's PIN. It exists for as long as the profile is registered, and is the fallback for everything else.
    case pin
    /// Face or finger. They release a key; a positive answer of the sensor alone opens nothing.
    case biometrics
}
