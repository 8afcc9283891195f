/// The party that caused an audit log event.
public enum ActingParty: String, Codable, Hashable, Sendable, CaseIterable {
    /// A device with its own key, or a client that claims to be one.
    case device
    /// The user, through a device that is logged in, or with the password.
    case user
    /// The backend.
    case backend
    case `operator`
    /// The relying party itself.
    case server
}
