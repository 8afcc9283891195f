public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func createTransaction(
        _ transaction: NewTransaction
    ) async throws(RelyingPartyStoreError) -> TransactionCreation {
        let now = clock.now()
        if let known = transactions[transaction.id]?.recorded(at: now) {
            return known.isSame(as: transaction) ? .created(known) : .idTaken
        }
        guard transaction.details.expiresAt >= now, transaction.details.expiresAt <= now + transaction.longestLife
        else {
            return .expiryRefused
        }
        guard isKnown(transaction.addressees, of: transaction.user) else { return .addresseeUnknown }
        let pending = transactions.values.filter { $0.user == transaction.user && $0.state(at: now) == .pending }
        guard pending.count < transaction.pendingLimit else { return .tooMany }
        let record = TransactionRecord(transaction, now: now)
        transactions[record.id] = record
        append(AuditEvent(created: transaction))
        return .created(record.recorded(at: now))
    }

    public func transaction(_ id: TransactionID) async throws(RelyingPartyStoreError) -> RecordedTransaction? {
        transactions[id]?.recorded(at: clock.now())
    }

    public func transactions(
        of user: UserID, endedLimit: Int
    ) async throws(RelyingPartyStoreError) -> [RecordedTransaction] {
        let now = clock.now()
        let all = transactions.values.filter { $0.user == user }.map { $0.recorded(at: now) }
            .sorted { ($0.createdAt, $0.id.rawValue) < ($1.createdAt, $1.id.rawValue) }
        let ended = Set(all.filter { $0.state != .pending }.suffix(endedLimit).map(\.id))
        return all.filter { $0.state == .pending || ended.contains($0.id) }
    }

    public func voidTransaction(
        _ id: TransactionID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> VoidingOutcome {
        let now = clock.now()
        guard var record = transactions[id] else { return .noSuchTransaction }
        switch record.state(at: now) {
        case .pending:
            record.end = .init(state: .voided, at: now, proof: nil)
            transactions[id] = record
            append(AuditEvent(voided: record.recorded(at: now), by: actor))
            return .voided(record.recorded(at: now))
        case .voided: return .voided(record.recorded(at: now))
        case let state: return .ended(state)
        }
    }

    public func decideTransaction(
        _ decision: NewDecision,
        consuming use: ChallengeUse
    ) async throws(RelyingPartyStoreError) -> DecisionOutcome {
        let now = clock.now()
        let device = devices[decision.device].flatMap { $0.user == decision.user ? $0 : nil }
        let known = transactions[decision.transaction]
        let outcome = decision.outcome(
            on: known?.recorded(at: now), isDeviceKnown: device != nil, stop: device?.stop, consuming: use,
            usedBy: usedChallenges[use.challenge]?.message, now: now)
        if let outcome { return outcome }
        // The rule above has already refused an unknown device and an unknown transaction.
        guard let device, var record = known else { throw RelyingPartyStoreError(.corrupt) }
        let proof = DecisionProof(device: device.id, key: device.key, message: decision.message)
        record.end = .init(state: decision.decision.state, at: now, proof: proof)
        transactions[record.id] = record
        note(use, device: device.id)
        append(AuditEvent(decision))
        return .recorded(decision.decision.state)
    }

    private func isKnown(_ addressees: TransactionAddressees, of user: UserID) -> Bool {
        switch addressees {
        case .allDevices: users[user] != nil
        case .devices(let ids):
            ids.allSatisfy { id in devices[id].map { $0.user == user && $0.stop == nil } == true }
        }
    }
}
