public import NightlatchWire

/// A person who signs in to the console with a bound device: a user with a name and a role.
public struct Operator: Hashable, Sendable {
    /// The user whose devices confirm the sign-in.
    public let user: UserID
    /// The name that the audit log shows. No two operators have the same name.
    public let name: PartyName
    public let role: OperatorRole
    public let addedAt: NumericDate

    /// The largest number of operators.
    public static let countLimit = 200

    public init(user: UserID, name: PartyName, role: OperatorRole, addedAt: NumericDate) {
        self.user = user
        self.name = name
        self.role = role
        self.addedAt = addedAt
    }

    /// The party that the audit log names as the actor of this operator's actions.
    package var party: ActingParty { ActingParty(.operator, name: name) }
}
