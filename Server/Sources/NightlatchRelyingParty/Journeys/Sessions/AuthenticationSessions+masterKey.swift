extension AuthenticationSessions {
    /// The sessions that all relying parties with a key of `keyring` and the same journeys share.
    package init(keyring: MasterKeyring, configuration: JourneyConfiguration) {
        self.init(
            signingKeys: keyring.keys(for: .journeyAuthID), sealingKeys: keyring.keys(for: .journeyState),
            configuration: configuration)
    }
}
