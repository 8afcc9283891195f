/// How long stores keep used records, apart from ``ChallengeUse/retention``.
package enum StoreRetention {
    /// For an enrolment code, after its expiry: until then the key that used it can fetch a lost response again.
    package static let enrolmentCode: Duration = .seconds(24 * 60 * 60)
    /// For a transaction with its proof, after its expiry: by then the backend must have read the parts that it wants
    /// to keep.
    package static let transaction: Duration = .seconds(90 * 24 * 60 * 60)
}
