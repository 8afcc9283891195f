public import NightlatchWire

/// The party that causes an event of the audit log: its kind, and its name if it has one.
///
/// The kinds are also static members, so a party without a name is written as one word: `.backend`, `.operator`.
public struct ActingParty: Hashable, Sendable {
    /// The kind of party.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
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

    public let kind: Kind
    /// The API key with which the party authenticated; nil for a party without an API key.
    public let key: APIKeyID?
    /// The name that the API key or the operator had at the time of the event.
    public let name: PartyName?
    /// The reason that the party gives for the action at hand. The audit log has it as ``AuditEvent/reason``.
    public let reason: AuditReason?

    public init(_ kind: Kind, key: APIKeyID? = nil, name: PartyName? = nil, reason: AuditReason? = nil) {
        self.kind = kind
        self.key = key
        self.name = name
        self.reason = reason
    }

    public static let device = Self(.device)
    public static let user = Self(.user)
    public static let backend = Self(.backend)
    public static let `operator` = Self(.operator)
    public static let server = Self(.server)

    /// The same party with the reason for one action; nil for none.
    public func giving(_ reason: AuditReason?) -> Self { Self(kind, key: key, name: name, reason: reason) }

    /// The kind, and the name of the operator, or of the API key with the beginning of its id, for people:
    /// `operator: night shift (0d2f9f7b)`. Two keys may have had the name, one after the other.
    package var shown: String {
        guard let name else { return kind.rawValue }
        return "\(kind.rawValue): \(name.rawValue)" + (key.map { " (\($0.rawValue.prefix(8)))" } ?? "")
    }
}
