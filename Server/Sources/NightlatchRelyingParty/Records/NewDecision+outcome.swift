package import NightlatchWire

extension NewDecision {
    /// What the decision comes to without being recorded, or nil if it is to be recorded now. Every store asks this one rule, in the
    /// transaction that records, with what it has read there.
    ///
    /// - Parameters:
    ///   - known: The transaction, or nil if there is none.
    ///   - isDeviceKnown: Whether the user has such a device.
    ///   - bar: What is held against the device.
    ///   - use: The challenge that the decision uses up.
    ///   - used: The message that has used that challenge before, if one has.
    ///   - now: The store's clock.
    package func outcome(
        on known: RecordedTransaction?,
        isDeviceKnown: Bool,
        bar: DeviceBar?,
        consuming use: ChallengeUse,
        usedBy used: MessageHash?,
        now: NumericDate
    ) -> DecisionOutcome? {
        guard now <= use.expiresAt else { return .challengeExpired }
        guard isDeviceKnown, let known, known.user == user, known.addressees.include(device) else {
            return .noSuchTransaction
        }
        if let used { return used == use.message ? .recorded(known.state) : .challengeUsed }
        if let bar { return .deviceBarred(bar) }
        guard known.state == .pending else { return .ended(known.state) }
        guard known.details.hash == detailsHash else { return .detailsDiffer }
        return nil
    }
}

extension TransactionState {
    /// How a transaction stands that nobody has ended.
    package static func open(until expiresAt: NumericDate, now: NumericDate) -> Self {
        now <= expiresAt ? .pending : .expired
    }

    /// How a transaction stands that a table says was ended as `word`, or nil if by nobody.
    ///
    /// - Throws: ``StoreError`` `corrupt` for a word that is no state.
    package init(endedAs word: String?, expiresAt: NumericDate, now: NumericDate) throws(StoreError) {
        guard let word else {
            self = .open(until: expiresAt, now: now)
            return
        }
        guard let state = Self(rawValue: word) else { throw StoreError(.corrupt) }
        self = state
    }
}
