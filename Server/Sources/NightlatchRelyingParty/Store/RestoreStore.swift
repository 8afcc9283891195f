/// The acceptance of a store that was restored from an older copy.
public protocol RestoreStore: Sendable {
    /// Ends everything that may have ended after the copy was made, in one transaction.
    ///
    /// Refresh tokens, grants and codes of apps, journeys and their sessions, unused enrolment codes, pending
    /// transactions, and logins elsewhere that no browser has completed. All API keys are revoked, with an entry each,
    /// because one that was revoked since would open its routes again. Devices, keys, apps, profiles, passwords and
    /// two-party PINs stay as they are in the copy, with the counts of wrong attempts of that time.
    ///
    /// Idempotent: repeat it after an error.
    func acceptRestore() async throws(RelyingPartyStoreError) -> RestoreEffects
}

/// The numbers of records that ``RestoreStore/acceptRestore()`` ended.
public struct RestoreEffects: Hashable, Sendable {
    /// The logins of devices whose refresh tokens are no longer valid.
    public var logins = 0
    /// The grants of apps, and the authorization codes.
    public var appGrants = 0
    public var journeySessions = 0
    public var enrolmentCodes = 0
    public var transactions = 0
    public var remoteLogins = 0
    /// The API keys that were not revoked in the copy, expired ones included.
    public var apiKeys = 0
    /// The devices with a two-party PIN. Their counts of guesses are those of the copy: nothing of them was ended.
    public var twoPartyPins = 0
    /// The policies that got a new revision. Each device gets them again, also if it has a policy that is lost here.
    public var policies = 0

    public init() {}
}
