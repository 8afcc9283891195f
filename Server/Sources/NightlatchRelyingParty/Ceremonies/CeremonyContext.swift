/// The parts of a relying party that its ceremonies share.
package struct CeremonyContext: Sendable {
    let store: any RelyingPartyStore
    let apps: AppRegistry
    let challenges: CeremonyChallenges
    let masterKey: MasterKey
    /// Delays the responses to refused signatures.
    let pace: RefusalPace
    let clock: WallClock

    package init(
        store: any RelyingPartyStore,
        apps: AppRegistry,
        challenges: CeremonyChallenges,
        masterKey: MasterKey,
        pace: RefusalPace,
        clock: WallClock
    ) {
        self.store = store
        self.apps = apps
        self.challenges = challenges
        self.masterKey = masterKey
        self.pace = pace
        self.clock = clock
    }
}
