public import NightlatchWire

/// The profiles of users. Each verb is one transaction, as in ``RelyingPartyStore``.
public protocol ProfileStore: Sendable {
    /// The profile of `user`, or nil if the user has none or does not exist. Writes nothing.
    func profile(of user: UserID) async throws(RelyingPartyStoreError) -> StoredProfile?

    /// Replaces the whole profile of `user`, or removes it. A call that finds this profile already stored changes
    /// nothing, so it can be repeated after an error.
    ///
    /// - Parameters:
    ///   - profile: The new profile; nil to remove the stored one.
    ///   - user: The user, who must exist.
    ///   - replaced: The profile that must be stored for anything to change.
    ///   - actor: The party that sets the profile.
    func setProfile(
        _ profile: UserProfile?, of user: UserID, replacing replaced: ReplacedProfile, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> ProfileChangeOutcome
}

/// The profile that a call of ``ProfileStore/setProfile(_:of:replacing:by:)`` replaces.
public enum ReplacedProfile: Hashable, Sendable {
    /// Any profile, or none.
    case any
    /// None: the user must have no profile.
    case absent
    /// This one, with its revision and time.
    ///
    /// The revision alone does not identify it, because it begins again at 1 after a removal.
    case exactly(StoredProfile)

    /// Exactly the profile that a caller has read; nil for none.
    public init(_ read: StoredProfile?) { self = read.map(Self.exactly) ?? .absent }

    func permits(_ current: StoredProfile?) -> Bool { self == .any || self == Self(current) }
}

/// The outcome of a call of ``ProfileStore/setProfile(_:of:replacing:by:)``.
public enum ProfileChangeOutcome: Hashable, Sendable {
    /// The user now has this profile; nil if it was removed.
    case stored(StoredProfile?)
    /// Another profile is stored than the call replaces. Contains it; nil if there is none. Nothing changed.
    case changed(StoredProfile?)
    /// Nothing changed.
    case noSuchUser
}

/// Decides what ``ProfileStore/setProfile(_:of:replacing:by:)`` writes for a user who exists.
package struct ProfileChange: Sendable {
    package let outcome: ProfileChangeOutcome
    /// The entry for the audit log; nil if nothing is to be written.
    package let event: AuditEvent?

    /// Decides about a call.
    ///
    /// - Parameters:
    ///   - profile: The new profile; nil to remove the stored one.
    ///   - user: The user.
    ///   - replaced: The profile that must be stored for anything to change.
    ///   - current: The stored profile.
    ///   - actor: The party that sets the profile.
    ///   - now: The time of the transaction.
    package init(
        setting profile: UserProfile?, of user: UserID, replacing replaced: ReplacedProfile, current: StoredProfile?,
        by actor: ActingParty, at now: NumericDate
    ) {
        if current?.profile == profile {
            // Also if the answer of the same call was lost.
            (outcome, event) = (.stored(current), nil)
        } else if !replaced.permits(current) {
            (outcome, event) = (.changed(current), nil)
        } else {
            let next = (current?.revision ?? 0) + 1
            outcome = .stored(profile.map { StoredProfile(profile: $0, revision: next, updatedAt: now) })
            event = AuditEvent(profile: profile, replacing: current?.profile, of: user, by: actor)
        }
    }
}
