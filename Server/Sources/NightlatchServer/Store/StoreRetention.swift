/// How long stores keep what has served, beyond ``ChallengeUse/retention``.
enum StoreRetention {
    /// An enrolment code, after it expired: until then the device that used it may ask for a lost answer once more.
    static let enrolmentCode: Duration = .seconds(24 * 60 * 60)
    /// A refresh token that was replaced for good, after it was issued: within this time its return revokes the family.
    static let spentRefreshToken: Duration = .seconds(30 * 24 * 60 * 60)
}
