extension StoreRequirement {
    /// All rules, subject by subject.
    public static let all: [StoreRequirement] = [
        AppGrantConformance.requirements,
        AppConformance.requirements,
        AuditConformance.requirements,
        BindingConformance.requirements,
        ConsoleSessionConformance.requirements,
        DeviceChangeConformance.requirements,
        DevicePolicyConformance.requirements,
        ExpiryConformance.requirements,
        JourneyConformance.requirements,
        JourneyCreationConformance.requirements,
        JourneyGroundConformance.requirements,
        JourneySessionConformance.requirements,
        LoginConformance.requirements,
        PasswordConformance.requirements,
        PinCodeConformance.requirements,
        PinConformance.requirements,
        PinEndConformance.requirements,
        RaceConformance.requirements,
        RefreshConformance.requirements,
        SigningKeyConformance.requirements,
        TransactionConformance.requirements,
        UserConformance.requirements,
    ].flatMap(\.self)
}
