/// How long stores keep what has served, beyond ``ChallengeUse/retention``.
package enum StoreRetention {
    /// An enrolment code, after it expired: until then the key that used it may ask for a lost answer once more.
    package static let enrolmentCode: Duration = .seconds(24 * 60 * 60)
    /// A transaction with its proof, after it expired: until then the app's backend must have read what it wants to keep.
    package static let transaction: Duration = .seconds(90 * 24 * 60 * 60)
}
