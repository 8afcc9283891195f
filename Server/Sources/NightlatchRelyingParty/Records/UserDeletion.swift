public import NightlatchWire

/// The effects of the deletion of a user.
public struct UserDeletion: Hashable, Sendable {
    /// The name under which the user's entries are now in the audit log. It is random. The ids of devices and
    /// transactions stay in the entries. Someone who knows such an id from elsewhere can tell who the user was.
    public let pseudonym: UserID
    public var devices = 0
    public var journeyKeys = 0
    public var journeySessions = 0
    public var appGrants = 0
    public var transactions = 0
    public var remoteLogins = 0
    /// The number of entries of the audit log whose user and claims were erased.
    public var erasedEntries = 0
    /// The number of entries of the audit log that still name the user.
    ///
    /// An earlier version wrote them with the user's id inside the hash of their chain, so they cannot be changed.
    public var namedEntries = 0

    /// Creates the effects of a deletion that has not deleted anything yet, with a random pseudonym.
    public init() { pseudonym = .pseudonym() }
}

/// The outcome of a call of ``UserDataStore/deleteUser(_:by:because:)``.
public enum UserDeletionOutcome: Hashable, Sendable {
    case deleted(UserDeletion)
    /// Nothing changed.
    case noSuchUser
}

extension UserID {
    /// A random name for a deleted user: `deleted-` and 16 random bytes in base64url.
    fileprivate static func pseudonym() -> Self {
        let text = "deleted-" + Base64URL.encode(RandomBytes.make(count: 16))
        guard let pseudonym = Self(rawValue: text) else {
            // Its characters are printable, and it is shorter than the limit.
            preconditionFailure("a pseudonym that is no user id")
        }
        return pseudonym
    }
}
