public import NightlatchWire

/// A code that lets a user bind one device, ready to be recorded.
public struct NewEnrolmentCode: Hashable, Sendable {
    public let mac: EnrolmentCodeMAC
    /// The user who may bind a device with it.
    public let user: UserID
    /// The party that requested the code, for the audit log.
    public let actor: ActingParty
    /// How long the code is valid.
    public let life: Duration
    /// The password that the code was issued for: the code is recorded only while this is the user's password.
    ///
    /// Nil if it was issued without one.
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
