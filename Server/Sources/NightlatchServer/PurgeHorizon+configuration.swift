package import NightlatchRelyingParty

extension PurgeHorizon {
    /// Creates the horizon for the lifetimes of `configuration`.
    package init(_ configuration: RelyingPartyConfiguration) {
        self.init(
            challengeLife: configuration.challengeLife, enrolmentCodeLife: configuration.enrolmentCodeLife,
            journeySessionLife: max(configuration.journeys?.sessionLife ?? .zero, LoginPageCeremony.sessionLife))
    }
}
