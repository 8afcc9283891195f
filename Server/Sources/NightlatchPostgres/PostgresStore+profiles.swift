public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func profile(of user: UserID) async throws(RelyingPartyStoreError) -> StoredProfile? {
        try await shareRead { transaction in
            let answer = try transaction.send(Self.profileQuery, .text(user.rawValue))
            return { try answer.rows().first.map(StoredProfile.init) }
        }
    }

    public func setProfile(
        _ profile: UserProfile?, of user: UserID, replacing replaced: ReplacedProfile, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> ProfileChangeOutcome {
        try await write { transaction in
            let known = try transaction.send(Self.lockUser, .text(user.rawValue))
            let rows = try transaction.send(Self.profileQuery, .text(user.rawValue))
            guard try !known.rows().isEmpty else { return .noSuchUser }
            let change = ProfileChange(
                setting: profile, of: user, replacing: replaced, current: try rows.rows().first.map(StoredProfile.init),
                by: actor, at: try transaction.now())
            if case .stored(let stored) = change.outcome, let event = change.event {
                try Self.put(stored, of: user, in: transaction)
                try transaction.append(event)
            }
            return change.outcome
        }
    }

    /// Replaces the row of a user's profile; nil deletes it.
    static func put(_ stored: StoredProfile?, of user: UserID, in transaction: PostgresTransaction) throws {
        guard let stored else {
            try transaction.send("DELETE FROM user_profile WHERE user_id = $1", .text(user.rawValue))
            return
        }
        try transaction.send(
            """
            INSERT INTO user_profile (user_id, revision, updated_at, document) VALUES ($1, $2, $3, $4)
            ON CONFLICT (user_id) DO UPDATE SET revision = excluded.revision, updated_at = excluded.updated_at,
            document = excluded.document
            """,
            .text(user.rawValue), .integer(stored.revision), .integer(stored.updatedAt.secondsSince1970),
            .text(stored.document))
    }

    static let profileQuery = "SELECT revision, updated_at, document FROM user_profile WHERE user_id = $1"
}

extension StoredProfile {
    init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        self.init(
            profile: try row.json("document"), revision: try row.integer("revision"),
            updatedAt: try row.date("updated_at"))
    }
}
