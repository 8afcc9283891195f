/// The times for which stores keep used records, apart from ``ChallengeUse/retention``.
package enum StoreRetention {
    /// The time for an expired enrolment code: until then a client that lost the response can repeat the request.
    package static let enrolmentCode: Duration = .seconds(24 * 60 * 60)
    /// The time for an expired transaction with its proof. Within this time, the backend must read the data that it
    /// wants to keep.
    package static let transaction: Duration = .seconds(90 * 24 * 60 * 60)
    /// The time for an expired remote login. It is longer than the life of every handle that names one, so none can be
    /// opened a second time.
    package static let remoteLogin: Duration = .seconds(24 * 60 * 60)
    /// The time for a dead letter of a webhook. Within this time, an operator can have it delivered again.
    package static let deadLetter: Duration = .seconds(90 * 24 * 60 * 60)
    /// The time for an event that waits for a webhook, so that one that nobody resumes does not fill the database. The
    /// event stays in the audit log.
    package static let waitingDelivery: Duration = .seconds(90 * 24 * 60 * 60)
}
