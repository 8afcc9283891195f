public import NightlatchWire

/// The import of users from another system. Each verb is one transaction, as in ``RelyingPartyStore``.
public protocol UserImportStore: Sendable {
    /// Imports users: creates those who do not exist, and changes those who do if `mode` says so.
    ///
    /// All users of the call are imported in one transaction, or none. The call can be repeated after an error: a user
    /// who already has exactly the imported password and profile is ``UserImportOutcome/unchanged``.
    ///
    /// A password that the server has hashed itself is never replaced: it was set after the import, or proves that the
    /// user has signed in since. If an imported password of an existing user is replaced, or the user gets a first
    /// password, the same things end as with ``RelyingPartyStore/setPassword(_:of:)``.
    ///
    /// - Parameters:
    ///   - users: The users. If one is there twice, the second is imported after the first.
    ///   - mode: What happens to users who exist, and whether anything is written at all.
    ///   - actor: The party that imports the users.
    /// - Returns: An outcome for each of `users`, in their order.
    func importUsers(
        _ users: [ImportedUser], mode: UserImportMode, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> [UserImportOutcome]
}

/// A user of another system, for ``UserImportStore/importUsers(_:mode:by:)``.
public struct ImportedUser: Hashable, Sendable {
    public let user: UserID
    /// The hash of the user's password; nil for none.
    public let passwordHash: ImportedPasswordHash?
    /// The whole profile of the user; nil for none.
    public let profile: UserProfile?

    public init(_ user: UserID, passwordHash: ImportedPasswordHash? = nil, profile: UserProfile? = nil) {
        self.user = user
        self.passwordHash = passwordHash
        self.profile = profile
    }
}

/// What an import does.
public enum UserImportMode: Hashable, Sendable {
    /// Creates users. Users who exist keep their passwords and profiles.
    case create
    /// Creates users, and replaces the profiles and the imported passwords of users who exist. Users without a password
    /// get the imported one.
    ///
    /// A user whose line has no password keeps the password, and one whose line has no profile keeps the profile. A
    /// profile is replaced whole: members that the new one lacks are removed.
    case replace
    /// Writes nothing. The outcomes are those that ``create`` would have now.
    case checkCreate
    /// Writes nothing. The outcomes are those that ``replace`` would have now.
    case checkReplace

    /// Whether users who exist are changed.
    public var isReplacing: Bool { self == .replace || self == .checkReplace }

    /// Whether the import writes.
    public var isWriting: Bool { self == .create || self == .replace }
}

/// The outcome of the import of one user.
public enum UserImportOutcome: String, Hashable, Sendable, CaseIterable {
    case created
    /// The user existed. The password, the profile or both were replaced.
    case replaced
    /// The user existed, with a password of this server, which was kept. The profile was replaced if it was another.
    case passwordKept
    /// The user existed, and already had the imported password and profile. Nothing changed.
    case unchanged
    /// The user existed, with another password or profile. Nothing changed.
    ///
    /// This is also the outcome for a user who has presented the right password since the first import, because the
    /// server has then replaced the imported hash by its own.
    case exists
}

/// Decides what ``UserImportStore/importUsers(_:mode:by:)`` writes about one user.
package struct UserImportStep: Sendable {
    package let outcome: UserImportOutcome
    /// The password to store; nil to write none.
    package let password: StoredPassword?
    /// The profile to store; nil to write none.
    package let profile: StoredProfile?
    /// The entries for the audit log, in their order. They are appended before those about ended sessions.
    package let events: [AuditEvent]

    /// The stored facts about a user who exists.
    package struct Existing: Sendable {
        let password: StoredPassword?
        let profile: StoredProfile?

        package init(password: StoredPassword?, profile: StoredProfile?) {
            self.password = password
            self.profile = profile
        }
    }

    /// Whether the step writes anything.
    package var isWriting: Bool { !events.isEmpty }

    /// Whether an import may replace a stored password: whether there is none, or it was imported.
    package static func isReplaceable(_ password: StoredPassword?) -> Bool {
        password.map { $0.imported != nil } ?? true
    }

    /// Decides about a user.
    ///
    /// - Parameters:
    ///   - user: The imported user.
    ///   - existing: The stored facts; nil if the user does not exist.
    ///   - mode: The mode of the import.
    ///   - actor: The party that imports the user.
    ///   - now: The time of the transaction.
    package init(
        importing user: ImportedUser, over existing: Existing?, mode: UserImportMode, by actor: ActingParty,
        at now: NumericDate
    ) {
        let isOtherPassword = user.passwordHash.map { $0 != existing?.password?.imported } ?? false
        let isNewPassword = isOtherPassword && Self.isReplaceable(existing?.password)
        let isNewProfile = user.profile.map { $0 != existing?.profile?.profile } ?? false
        outcome =
            switch existing {
            case nil: .created
            case .some where !isOtherPassword && !isNewProfile: .unchanged
            case .some where !mode.isReplacing: .exists
            case .some: isOtherPassword && !isNewPassword ? .passwordKept : .replaced
            }
        let isPermitted = outcome == .created || mode.isReplacing
        guard isPermitted, isNewPassword || isNewProfile || outcome == .created else {
            (password, profile, events) = (nil, nil, [])
            return
        }
        password = isNewPassword ? user.passwordHash.map(StoredPassword.init(importing:)) : nil
        let old = existing?.profile
        profile =
            isNewProfile
            ? user.profile.map { new in
                StoredProfile(profile: new, revision: (old?.revision ?? 0) + 1, updatedAt: now)
            } : nil
        var imported = AuditEvent(.userImported, by: actor, user: user.user)
        if isNewProfile, let new = user.profile {
            imported.members = new.members(changedFrom: old?.profile ?? UserProfile())
        }
        events = [imported] + (isNewPassword ? [AuditEvent(.passwordSet, by: actor, user: user.user)] : [])
    }
}
