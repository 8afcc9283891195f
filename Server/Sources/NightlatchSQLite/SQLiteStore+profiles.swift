import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func profile(of user: UserID) async throws(RelyingPartyStoreError) -> StoredProfile? {
        try readOnce { try Self.profile(of: user, in: $0) }
    }

    public func setProfile(
        _ profile: UserProfile?, of user: UserID, replacing replaced: ReplacedProfile, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> ProfileChangeOutcome {
        try await write { database, now in
            let isKnown = try KeptStatement("SELECT 1 FROM user WHERE id = ?", in: database)
                .first(.text(user.rawValue)) { _ in true }
            guard isKnown == true else { return .noSuchUser }
            let change = ProfileChange(
                setting: profile, of: user, replacing: replaced, current: try Self.profile(of: user, in: database),
                by: actor, at: now)
            if case .stored(let stored) = change.outcome, let event = change.event {
                try Self.put(stored, of: user, in: database)
                try append(event, at: now, in: database)
            }
            return change.outcome
        }
    }

    /// Replaces the row of a user's profile; nil deletes it.
    static func put(_ stored: StoredProfile?, of user: UserID, in database: Database) throws {
        guard let stored else {
            return try KeptStatement("DELETE FROM user_profile WHERE user_id = ?", in: database)
                .run(.text(user.rawValue))
        }
        try KeptStatement(
            "INSERT OR REPLACE INTO user_profile (user_id, revision, updated_at, document) VALUES (?, ?, ?, ?)",
            in: database
        ).run(
            .text(user.rawValue), .integer(stored.revision), .integer(stored.updatedAt.secondsSince1970),
            .text(stored.document))
    }

    static func profile(of user: UserID, in database: Database) throws -> StoredProfile? {
        try KeptStatement("SELECT revision, updated_at, document FROM user_profile WHERE user_id = ?", in: database)
            .first(.text(user.rawValue)) { row in
                StoredProfile(
                    profile: try row.json(2), revision: try row.integer(0), updatedAt: try row.date(1))
            }
    }
}
