extension AuthenticationSessions {
    /// The sessions that all relying parties with `masterKey` and the same journeys share.
    package init(masterKey: MasterKey, configuration: JourneyConfiguration) {
        self.init(
            signingKey: masterKey.key(for: .journeyAuthID), sealingKey: masterKey.key(for: .journeyState),
            configuration: configuration)
    }
}
