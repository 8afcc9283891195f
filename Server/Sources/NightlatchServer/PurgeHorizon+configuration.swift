package import NightlatchRelyingParty

extension PurgeHorizon {
    /// For a relying party in which things live as long as `configuration` says.
    package init(_ configuration: RelyingPartyConfiguration) {
        self.init(
            challengeLife: configuration.challengeLife, enrolmentCodeLife: configuration.enrolmentCodeLife,
            journeySessionLife: configuration.journeys?.sessionLife)
    }
}
