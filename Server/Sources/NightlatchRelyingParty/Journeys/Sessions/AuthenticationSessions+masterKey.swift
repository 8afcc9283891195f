extension AuthenticationSessions {
    /// Those of the relying parties that have `masterKey` and the same journeys.
    package init(masterKey: MasterKey, configuration: JourneyConfiguration) {
        self.init(
            signingKey: masterKey.key(for: .journeyAuthID), sealingKey: masterKey.key(for: .journeyState),
            configuration: configuration)
    }
}
