package import NightlatchWire

extension NewDecision {
    /// Returns the outcome of a decision that the store must not record; nil if the store must record the decision now.
    ///
    /// Every store applies this rule in the transaction that records the decision, to the values that it read there.
    ///
    /// - Parameters:
    ///   - known: The transaction, or nil if there is none.
    ///   - isDeviceKnown: Whether the user has the device.
    ///   - stop: The reason why the device has no access; nil if it is active.
    ///   - use: The challenge that the decision consumes.
    ///   - used: The message that already used the challenge, if any.
    ///   - now: The store's clock.
    package func outcome(
        on known: RecordedTransaction?,
        isDeviceKnown: Bool,
        stop: DeviceStop?,
        consuming use: ChallengeUse,
        usedBy used: MessageHash?,
        now: NumericDate
    ) -> DecisionOutcome? {
        guard now <= use.expiresAt else { return .challengeExpired }
        guard isDeviceKnown, let known, known.user == user, known.addressees.include(device) else {
            return .noSuchTransaction
        }
        if let used { return used == use.message ? .recorded(known.state) : .challengeUsed }
        if let stop { return .deviceStopped(stop) }
        guard known.state == .pending else { return .ended(known.state) }
        guard known.details.hash == detailsHash else { return .detailsDiffer }
        return nil
    }
}

extension TransactionState {
    /// The state of a transaction that was neither decided nor voided.
    package static func open(until expiresAt: NumericDate, now: NumericDate) -> Self {
        now <= expiresAt ? .pending : .expired
    }

    /// The state of a transaction whose stored end state is `word`; nil if it was neither decided nor voided.
    ///
    /// - Throws: ``RelyingPartyStoreError`` `corrupt` for a word that is not a state.
    package init(endedAs word: String?, expiresAt: NumericDate, now: NumericDate) throws(RelyingPartyStoreError) {
        guard let word else {
            self = .open(until: expiresAt, now: now)
            return
        }
        guard let state = Self(rawValue: word) else { throw RelyingPartyStoreError(.corrupt) }
        self = state
    }
}
