public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func profile(of user: UserID) async throws(RelyingPartyStoreError) -> StoredProfile? { profiles[user] }

    public func setProfile(
        _ profile: UserProfile?, of user: UserID, replacing replaced: ReplacedProfile, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> ProfileChangeOutcome {
        guard users[user] != nil else { return .noSuchUser }
        let change = ProfileChange(
            setting: profile, of: user, replacing: replaced, current: profiles[user], by: actor, at: clock.now())
        if case .stored(let stored) = change.outcome, let event = change.event {
            profiles[user] = stored
            append(event)
        }
        return change.outcome
    }
}
