import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func operators() async throws(RelyingPartyStoreError) -> [Operator] {
        try readOnce { try Self.operators(in: $0) }
    }

    public func operatorRecord(of user: UserID) async throws(RelyingPartyStoreError) -> Operator? {
        try readOnce { try Self.operatorRecord(of: user, in: $0) }
    }

    public func changeOperator(
        _ change: OperatorChange, of user: UserID, keepingOwner keepsOwner: Bool, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> OperatorChangeOutcome {
        try await write { database, now in
            let effects = OperatorEffects(
                change, of: user, among: try Self.operators(in: database), keepingOwner: keepsOwner, by: actor, at: now)
            guard let event = effects.event else { return effects.outcome }
            switch effects.outcome {
            case .stored(let person):
                if case .add = change {
                    try Self.addUser(user, at: now, in: database)
                    try database.execute(
                        sql: "DELETE FROM enrolment_code WHERE user_id = ? AND used_by_key_id IS NULL",
                        arguments: [user.rawValue])
                }
                try KeptStatement(
                    """
                    INSERT INTO console_operator (user_id, name, role, added_at) VALUES (?, ?, ?, ?)
                    ON CONFLICT (user_id) DO UPDATE SET name = excluded.name, role = excluded.role
                    """, in: database
                ).run(
                    .text(user.rawValue), .text(person.name.rawValue), .text(person.role.rawValue),
                    .integer(person.addedAt.secondsSince1970))
            case .removed:
                try KeptStatement("DELETE FROM console_operator WHERE user_id = ?", in: database)
                    .run(.text(user.rawValue))
            case .alreadyOperator, .nameTaken, .noSuchOperator, .tooMany, .lastOwner: break
            }
            try append(event, at: now, in: database)
            return effects.outcome
        }
    }

    static func operatorRecord(of user: UserID, in database: Database) throws -> Operator? {
        try KeptStatement("SELECT \(Operator.columns) FROM console_operator WHERE user_id = ?", in: database)
            .first(.text(user.rawValue), read: Operator.init)
    }

    private static func operators(in database: Database) throws -> [Operator] {
        try KeptStatement("SELECT \(Operator.columns) FROM console_operator ORDER BY user_id", in: database)
            .all(read: Operator.init)
    }
}

extension Operator {
    /// The columns for ``init(_:)``, in its order.
    fileprivate static let columns = "user_id, name, role, added_at"

    fileprivate init(_ row: KeptRow) throws(RelyingPartyStoreError) {
        guard let role = OperatorRole(rawValue: try row.text(2)) else { throw RelyingPartyStoreError(.corrupt) }
        self.init(user: try row.identifier(0), name: try row.identifier(1), role: role, addedAt: try row.date(3))
    }
}
