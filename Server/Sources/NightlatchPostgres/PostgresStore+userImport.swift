public import NightlatchRelyingParty
import NightlatchWire

extension PostgresStore {
    public func importUsers(
        _ users: [ImportedUser], mode: UserImportMode, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> [UserImportOutcome] {
        guard mode.isWriting else {
            return try await read { transaction in
                try users.map { user in
                    try Self.step(
                        importing: user, isKnown: Self.user(user.user, in: transaction) != nil,
                        password: PasswordRow(of: user.user, lock: "", in: transaction)?.password, mode: mode,
                        by: actor, in: transaction
                    ).outcome
                }
            }
        }
        // In the order of the ids, so that two imports of the same users wait for each other and do not deadlock.
        let order = users.indices.sorted { one, other in
            let ids = (users[one].user.rawValue.utf8, users[other].user.rawValue.utf8)
            return ids.0.elementsEqual(ids.1) ? one < other : ids.0.lexicographicallyPrecedes(ids.1)
        }
        return try await write { transaction in
            var outcomes = users.map { _ in UserImportOutcome.unchanged }
            for index in order {
                outcomes[index] = try Self.importUser(users[index], mode: mode, by: actor, in: transaction)
            }
            return outcomes
        }
    }

    private static func importUser(
        _ user: ImportedUser, mode: UserImportMode, by actor: ActingParty, in transaction: PostgresTransaction
    ) throws -> UserImportOutcome {
        let (id, now) = (user.user, try transaction.now())
        // Without locks, because most users of a repeated import are not changed, and nobody waits for them.
        let expected = try step(
            importing: user, isKnown: Self.user(id, in: transaction) != nil,
            password: PasswordRow(of: id, lock: "", in: transaction)?.password, mode: mode, by: actor, in: transaction)
        guard expected.isWriting else { return expected.outcome }
        // Locks the password, the codes and the user in the order of the deletion of a user.
        let password = try PasswordRow(of: id, lock: "FOR UPDATE", in: transaction)?.password
        if mode.isReplacing, let hash = user.passwordHash, hash != password?.imported,
            UserImportStep.isReplaceable(password)
        {
            try deleteUnusedCodes(of: id, in: transaction)
        }
        // Waits for another transaction that creates or deletes the user.
        let isCreated = try addUser(id, at: now, in: transaction).rows().affectedCount == 1
        if !isCreated, try transaction.rows(lockUser, .text(id.rawValue)).isEmpty {
            // The user was deleted after the statement before. The repeated transaction creates the user.
            throw PostgresFailure.statement(sqlState: "40001")
        }
        if !isCreated, password == nil, try PasswordRow(of: id, lock: "", in: transaction) != nil {
            // The transaction that was waited for has set it. The repeated transaction locks it before the codes.
            throw PostgresFailure.statement(sqlState: "40001")
        }
        let step = try step(
            importing: user, isKnown: !isCreated, password: password, mode: mode, by: actor, in: transaction)
        if let new = step.password {
            try password == nil ? putFirst(new, of: id, in: transaction) : put(new, of: id, in: transaction)
        }
        if let profile = step.profile { try put(profile, of: id, in: transaction) }
        for event in step.events { try transaction.append(event) }
        if step.outcome == .replaced, step.password != nil {
            _ = try endSessions(of: id, by: actor, in: transaction)
        }
        return step.outcome
    }

    private static func step(
        importing user: ImportedUser, isKnown: Bool, password: StoredPassword?, mode: UserImportMode,
        by actor: ActingParty, in transaction: PostgresTransaction
    ) throws -> UserImportStep {
        guard isKnown else {
            return UserImportStep(importing: user, over: nil, mode: mode, by: actor, at: try transaction.now())
        }
        let profile = try transaction.rows(profileQuery, .text(user.user.rawValue)).first.map(StoredProfile.init)
        let existing = UserImportStep.Existing(password: password, profile: profile)
        return UserImportStep(importing: user, over: existing, mode: mode, by: actor, at: try transaction.now())
    }
}
