import Foundation
import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func createTransaction(
        _ transaction: NewTransaction
    ) async throws(RelyingPartyStoreError) -> TransactionCreation {
        return try await write { database, now in
            if let known = try TransactionRow.fetch(transaction.id, now: now, in: database) {
                return known.isSame(as: transaction) ? .created(known) : .idTaken
            }
            let expiresAt = transaction.details.expiresAt
            guard expiresAt >= now, expiresAt <= now + transaction.longestLife else { return .expiryRefused }
            guard try Self.isKnown(transaction.addressees, of: transaction.user, in: database) else {
                return .addresseeUnknown
            }
            let pendingCount = try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM user_transaction WHERE user_id = ? AND ended_as IS NULL AND expires_at >= ?",
                arguments: [transaction.user.rawValue, now.secondsSince1970])
            guard pendingCount ?? 0 < transaction.pendingLimit else { return .tooMany }
            let created = try TransactionRow.insert(transaction, now: now, in: database)
            try append(AuditEvent(created: transaction), at: now, in: database)
            return .created(created)
        }
    }

    public func transaction(_ id: TransactionID) async throws(RelyingPartyStoreError) -> RecordedTransaction? {
        let now = clock.now()
        return try readOnce { database in try TransactionRow.fetch(id, now: now, in: database) }
    }

    public func transactions(
        of user: UserID, endedLimit: Int
    ) async throws(RelyingPartyStoreError) -> [RecordedTransaction] {
        let now = clock.now()
        return try read { database in
            try TransactionRow.fetchAll(of: user, endedLimit: endedLimit, now: now, in: database)
        }
    }

    public func voidTransaction(
        _ id: TransactionID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> VoidingOutcome {
        return try await write { database, now in try void(id, by: actor, at: now, in: database) }
    }

    func void(
        _ id: TransactionID, by actor: ActingParty, at now: NumericDate, in database: Database
    ) throws -> VoidingOutcome {
        guard let known = try TransactionRow.fetch(id, now: now, in: database) else { return .noSuchTransaction }
        switch known.state {
        case .voided: return .voided(known)
        case .pending:
            try database.execute(
                sql: "UPDATE user_transaction SET ended_as = ?, ended_at = ? WHERE id = ?",
                arguments: [TransactionState.voided.rawValue, now.secondsSince1970, id.rawValue])
            guard let voided = try TransactionRow.fetch(id, now: now, in: database) else {
                throw RelyingPartyStoreError(.corrupt)
            }
            try append(AuditEvent(voided: voided, by: actor), at: now, in: database)
            return .voided(voided)
        case let state: return .ended(state)
        }
    }

    public func decideTransaction(
        _ decision: NewDecision,
        consuming use: ChallengeUse
    ) async throws(RelyingPartyStoreError) -> DecisionOutcome {
        return try await write { database, now in
            let device = try Self.device(decision.device, of: decision.user, in: database)
            let outcome = decision.outcome(
                on: try TransactionRow.fetch(decision.transaction, now: now, in: database),
                isDeviceKnown: device != nil, stop: device?.stop, consuming: use,
                usedBy: try UsedChallengeRow(use, in: database)?.message, now: now)
            if let outcome { return outcome }
            try database.execute(
                sql: """
                    UPDATE user_transaction SET ended_as = ?, ended_at = ?, device_id = ?, message = ? WHERE id = ?
                    """,
                arguments: [
                    decision.decision.state.rawValue, now.secondsSince1970, decision.device.rawValue, decision.message,
                    decision.transaction.rawValue,
                ])
            try UsedChallengeRow.insert(use, device: decision.device, in: database)
            try append(AuditEvent(decision), at: now, in: database)
            return .recorded(decision.decision.state)
        }
    }

    private static func isKnown(
        _ addressees: TransactionAddressees,
        of user: UserID,
        in database: Database
    ) throws -> Bool {
        switch addressees {
        case .allDevices:
            return try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM user WHERE id = ?)", arguments: [user.rawValue]) ?? false
        case .devices(let ids):
            return try ids.allSatisfy { id in
                guard let device = try device(id, of: user, in: database) else { return false }
                return device.stop == nil
            }
        }
    }
}
