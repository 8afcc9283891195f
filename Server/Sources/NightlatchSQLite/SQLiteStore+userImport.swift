import Foundation
import GRDB
public import NightlatchRelyingParty
import NightlatchWire

extension SQLiteStore {
    public func importUsers(
        _ users: [ImportedUser], mode: UserImportMode, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> [UserImportOutcome] {
        guard mode.isWriting else {
            let now = clock.now()
            return try read { database in
                try users.map { user in
                    try Self.step(importing: user, mode: mode, by: actor, at: now, in: database).outcome
                }
            }
        }
        return try await write { database, now in
            try users.map { user in
                let step = try Self.step(importing: user, mode: mode, by: actor, at: now, in: database)
                try apply(step, to: user.user, by: actor, at: now, in: database)
                return step.outcome
            }
        }
    }

    private static func step(
        importing user: ImportedUser, mode: UserImportMode, by actor: ActingParty, at now: NumericDate,
        in database: Database
    ) throws -> UserImportStep {
        let isKnown = try KeptStatement("SELECT 1 FROM user WHERE id = ?", in: database)
            .first(.text(user.user.rawValue)) { _ in true }
        let existing =
            isKnown == nil
            ? nil
            : UserImportStep.Existing(
                password: try password(of: user.user, in: database)?.0,
                profile: try profile(of: user.user, in: database))
        return UserImportStep(importing: user, over: existing, mode: mode, by: actor, at: now)
    }

    private func apply(
        _ step: UserImportStep, to user: UserID, by actor: ActingParty, at now: NumericDate, in database: Database
    ) throws {
        if step.outcome == .created { try Self.addUser(user, at: now, in: database) }
        if let password = step.password { try Self.put(password, of: user, in: database) }
        if let profile = step.profile { try Self.put(profile, of: user, in: database) }
        for event in step.events { try append(event, at: now, in: database) }
        if step.outcome == .replaced, step.password != nil {
            try Self.deleteUnusedCodes(of: user, in: database)
            _ = try endSessions(of: user, by: actor, at: now, in: database)
        }
    }
}
