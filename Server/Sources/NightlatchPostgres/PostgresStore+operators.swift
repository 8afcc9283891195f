public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func operators() async throws(RelyingPartyStoreError) -> [Operator] {
        try await read { transaction in
            try transaction.rows(Self.operatorQuery + "ORDER BY user_id").map(Operator.init)
        }
    }

    public func operatorRecord(of user: UserID) async throws(RelyingPartyStoreError) -> Operator? {
        try await shareRead { transaction in
            let answer = try transaction.send(Self.operatorQuery + "WHERE user_id = $1", .text(user.rawValue))
            return { try answer.rows().first.map(Operator.init) }
        }
    }

    public func changeOperator(
        _ change: OperatorChange, of user: UserID, keepingOwner keepsOwner: Bool, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> OperatorChangeOutcome {
        try await write { transaction in
            // Locks the table, because the names and the last owner are rules about all rows. Readers are not blocked.
            // The deletion of a user takes this lock before that of the user too.
            try transaction.send("LOCK TABLE console_operator IN SHARE ROW EXCLUSIVE MODE")
            let operators = try transaction.rows(Self.operatorQuery + "ORDER BY user_id").map(Operator.init)
            let now = try transaction.now()
            let effects = OperatorEffects(
                change, of: user, among: operators, keepingOwner: keepsOwner, by: actor, at: now)
            guard let event = effects.event else { return effects.outcome }
            switch effects.outcome {
            case .stored(let person):
                if case .add = change {
                    try transaction.send(
                        "DELETE FROM enrolment_code WHERE user_id = $1 AND used_by_key_id IS NULL",
                        .text(user.rawValue))
                    try Self.addUser(user, at: now, in: transaction)
                }
                try transaction.send(
                    """
                    INSERT INTO console_operator (user_id, name, role, added_at) VALUES ($1, $2, $3, $4)
                    ON CONFLICT (user_id) DO UPDATE SET name = excluded.name, role = excluded.role
                    """,
                    .text(user.rawValue), .text(person.name.rawValue), .text(person.role.rawValue),
                    .integer(person.addedAt.secondsSince1970))
            case .removed:
                try transaction.send("DELETE FROM console_operator WHERE user_id = $1", .text(user.rawValue))
            case .alreadyOperator, .nameTaken, .noSuchOperator, .tooMany, .lastOwner: break
            }
            try transaction.append(event)
            return effects.outcome
        }
    }

    static let operatorQuery = "SELECT user_id, name, role, added_at FROM console_operator "
}

extension Operator {
    init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        guard let role = OperatorRole(rawValue: try row.text("role")) else { throw RelyingPartyStoreError(.corrupt) }
        self.init(
            user: try row.identifier("user_id"), name: try row.identifier("name"), role: role,
            addedAt: try row.date("added_at"))
    }
}
