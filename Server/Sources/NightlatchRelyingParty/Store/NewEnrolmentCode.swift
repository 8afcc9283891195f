public import NightlatchWire

/// A code that lets a user bind one device, ready to be recorded.
public struct NewEnrolmentCode: Hashable, Sendable {
    public let mac: EnrolmentCodeMAC
    /// Whom it is for.
    public let user: UserID
    /// Who asked for it, as the audit log is to say.
    public let actor: ActingParty
    /// How long it may be used.
    public let life: Duration
    /// The password that it was given for: it is recorded only if that is the user's still. Nil if it was given for none.
    public let password: StoredPassword?

    public init(
        mac: EnrolmentCodeMAC,
        user: UserID,
        actor: ActingParty,
        life: Duration,
        password: StoredPassword? = nil
    ) {
        self.mac = mac
        self.user = user
        self.actor = actor
        self.life = life
        self.password = password
    }
}
