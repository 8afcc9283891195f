/// Who did what the audit log tells of.
public enum ActingParty: String, Codable, Hashable, Sendable, CaseIterable {
    /// A device with its own key, or whoever claims to be one.
    case device
    /// The person, through a device that is logged in, or by password.
    case user
    /// The app's backend.
    case backend
    case `operator`
    /// The relying party itself.
    case server
}
