public import NightlatchWire

/// A code that lets a user bind one device, ready to be recorded.
public struct NewEnrolmentCode: Hashable, Sendable {
    public let mac: EnrolmentCodeMAC
    /// The master key of the MAC; nil if it is unknown. A code under a replaced key is not stored.
    public let masterKey: MasterKeyID?
    /// The user that a device can be bound to with the code.
    public let user: UserID
    /// The party that requested the code, for the audit log.
    public let actor: ActingParty
    /// The time for which the code is valid.
    public let life: Duration
    /// The password that was verified before the code was issued. The code is recorded only if the user still has this
    /// password.
    ///
    /// Nil if the code was issued without a password.
    public let password: StoredPassword?

    public init(
        mac: EnrolmentCodeMAC,
        masterKey: MasterKeyID? = nil,
        user: UserID,
        actor: ActingParty,
        life: Duration,
        password: StoredPassword? = nil
    ) {
        self.mac = mac
        self.masterKey = masterKey
        self.user = user
        self.actor = actor
        self.life = life
        self.password = password
    }
}
