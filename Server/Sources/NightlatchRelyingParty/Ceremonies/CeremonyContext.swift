/// The parts of a relying party that its ceremonies share.
package struct CeremonyContext: Sendable {
    let store: any RelyingPartyStore
    let apps: AppRegistry
    let challenges: CeremonyChallenges
    let keyring: MasterKeyring
    /// Delays the responses to refused signatures.
    let pace: RefusalPace
    let clock: WallClock

    package init(
        store: any RelyingPartyStore,
        apps: AppRegistry,
        challenges: CeremonyChallenges,
        keyring: MasterKeyring,
        pace: RefusalPace,
        clock: WallClock
    ) {
        self.store = store
        self.apps = apps
        self.challenges = challenges
        self.keyring = keyring
        self.pace = pace
        self.clock = clock
    }
}
