public import NightlatchRelyingParty
public import NightlatchWire

// Each verb locks in this order: the user, the app, the device, the login.

extension PostgresStore {
    public func openRemoteLogin(_ login: RemoteLogin) async throws(RelyingPartyStoreError) -> RemoteLoginOpening {
        try await write { transaction in
            // Openings for the same user take turns, so that the limit holds. If a login is opened for two users at the
            // same time, one insertion fails. Its verb runs again and finds the other login.
            let user = try transaction.send(Self.lockUser, .text(login.user.rawValue))
            let row = try Self.lockRemoteLogin(login.id, in: transaction)
            let now = try transaction.now()
            let known = try row.rows().first.map { row throws(RelyingPartyStoreError) in try RemoteLogin(row, at: now) }
            let requests = try transaction.rows(
                """
                SELECT \(RemoteLogin.columns) FROM remote_login
                WHERE user_id = $1 AND expires_at >= $2 AND NOT is_claimed
                """,
                .text(login.user.rawValue), .integer(now.secondsSince1970)
            ).map { row throws(RelyingPartyStoreError) in try RemoteLogin(row, at: now) }
            let outcome = login.opening(
                known: known, isUserKnown: try !user.rows().isEmpty,
                requestCount: requests.count { $0.countsAsRequest(like: login, at: now) }, now: now)
            switch outcome {
            case .opened(let new) where known == nil:
                try Self.insert(new, in: transaction)
                try transaction.append(AuditEvent(opened: new))
            case .contested(let contested) where contested.state != known?.state:
                try Self.update(contested.id, to: contested.state, by: contested.device, in: transaction)
                try transaction.append(AuditEvent(contested: contested))
            case .opened, .contested, .userUnknown, .tooMany, .expired: break
            }
            return outcome
        }
    }

    public func remoteLogin(_ id: RemoteLoginID) async throws(RelyingPartyStoreError) -> RemoteLogin? {
        try await shareRead { transaction in
            // The clock first: a login that was confirmed in its last second is then never reported as expired.
            try transaction.bringClock()
            let row = try transaction.send(
                "SELECT \(RemoteLogin.columns) FROM remote_login WHERE id = $1", .text(id.rawValue))
            return {
                let now = try transaction.now()
                return try row.rows().first.map { row throws(RelyingPartyStoreError) in try RemoteLogin(row, at: now) }
            }
        }
    }

    public func remoteLogins(
        of user: UserID, limit: Int
    ) async throws(RelyingPartyStoreError) -> [RemoteLogin] {
        try await read { transaction in
            let now = try transaction.now()
            return try transaction.rows(
                """
                SELECT \(RemoteLogin.columns) FROM remote_login WHERE user_id = $1 AND expires_at >= $2
                ORDER BY requested_at DESC, id DESC LIMIT $3
                """,
                .text(user.rawValue), .integer(now.secondsSince1970), .integer(limit)
            ).map { row throws(RelyingPartyStoreError) in try RemoteLogin(row, at: now) }.reversed()
        }
    }

    public func decideRemoteLogin(
        _ decision: NewRemoteLoginDecision, consuming use: ChallengeUse
    ) async throws(RelyingPartyStoreError) -> RemoteLoginDecisionOutcome {
        try await write { transaction in
            try transaction.send(Self.lockUser, .text(decision.user.rawValue))
            // Serialises with decisions of the same device and with a revocation, then with the other verbs on this
            // login.
            let device = try transaction.send(
                "SELECT \(DeviceStop.columns) FROM device WHERE id = $1 AND user_id = $2 FOR NO KEY UPDATE",
                .text(decision.device.rawValue), .text(decision.user.rawValue))
            let row = try Self.lockRemoteLogin(decision.login, in: transaction)
            let used = try transaction.send(UsedChallenge.query, .text(use.challenge.rawValue))

            let now = try transaction.now()
            let known = try row.rows().first.map { row throws(RelyingPartyStoreError) in try RemoteLogin(row, at: now) }
            let deviceRow = try device.rows().first
            let (outcome, isNew) = decision.outcome(
                on: known, isDeviceKnown: deviceRow != nil, stop: try deviceRow.flatMap(DeviceStop.init),
                consuming: use, usedBy: try used.rows().first.map(UsedChallenge.init)?.message, now: now)
            guard isNew, case .recorded(let state) = outcome, let known else { return outcome }
            try Self.update(known.id, to: state, by: decision.device, in: transaction)
            try UsedChallenge.insert(use, device: decision.device, in: transaction)
            try transaction.append(AuditEvent(decision, on: known, state: state))
            return outcome
        }
    }

    public func completeRemoteLogin(
        _ completion: RemoteLoginCompletion
    ) async throws(RelyingPartyStoreError) -> RemoteLoginCompletionOutcome {
        try await write { transaction in
            // The user and the app of a login never change, and its device does not after the decision. So they are
            // read before they are locked.
            let found = try transaction.rows(
                "SELECT user_id, details, device_id FROM remote_login WHERE id = $1", .text(completion.login.rawValue)
            ).first
            guard let found, try found.optionalText("device_id") != nil else { return .refused }
            let user: UserID = try found.identifier("user_id")
            let details: RemoteLoginDetails = try found.json("details")
            try transaction.send(Self.lockUser, .text(user.rawValue))
            let isRegistered = try Self.isRegistered(details.client, in: transaction)
            // A transaction that stops the device at the same time waits for this lock, and then ends the new session.
            let device = try transaction.send(
                "SELECT \(DeviceStop.columns) FROM device WHERE id = $1 AND user_id = $2 FOR SHARE",
                .text(try found.text("device_id")), .text(user.rawValue))
            let row = try Self.lockRemoteLogin(completion.login, in: transaction)

            let now = try transaction.now()
            let known = try row.rows().first.map { row throws(RelyingPartyStoreError) in try RemoteLogin(row, at: now) }
            let isDeviceActive = try device.rows().first.map { try DeviceStop($0) == nil } ?? false
            let effects = completion.effects(
                on: known, isDeviceActive: isDeviceActive, isAppRegistered: isRegistered, now: now)
            guard let known, let effects else { return .refused }
            try Self.update(known.id, to: .completed, by: known.device, in: transaction)
            try Self.insert(effects.session, at: now, in: transaction)
            try transaction.append(AuditEvent(completed: known))
            switch effects.access {
            case .code(let code, let hash): try Self.insert(code, as: hash, in: transaction)
            case .grant(let grant):
                try Self.insert(grant, in: transaction)
                try transaction.append(AuditEvent(.appTokensIssued, to: grant.authorization))
            case .none: break
            }
            return effects.outcome
        }
    }

    /// Reads a login and locks it until the transaction ends, then reads the clock: the login may expire during the
    /// wait.
    private static func lockRemoteLogin(
        _ id: RemoteLoginID, in transaction: PostgresTransaction
    ) throws(PostgresFailure) -> PostgresAnswer {
        let row = try transaction.send(
            "SELECT \(RemoteLogin.columns) FROM remote_login WHERE id = $1 FOR NO KEY UPDATE", .text(id.rawValue))
        try transaction.readClock()
        return row
    }

    private static func insert(_ login: RemoteLogin, in transaction: PostgresTransaction) throws {
        try transaction.send(
            """
            INSERT INTO remote_login
            (id, user_id, details, number, is_claimed, state, device_id, requested_at, expires_at)
            VALUES ($1, $2, $3, $4, $5 = 1, $6, $7, $8, $9)
            """,
            .text(login.id.rawValue), .text(login.user.rawValue), .json(login.details), .text(login.number?.rawValue),
            .integer(login.isClaimed ? 1 : 0), .text(login.state.rawValue), .text(login.device?.rawValue),
            .integer(login.details.requestedAt.secondsSince1970), .integer(login.details.expiresAt.secondsSince1970))
    }

    private static func update(
        _ id: RemoteLoginID, to state: RemoteLoginState, by device: DeviceID?, in transaction: PostgresTransaction
    ) throws {
        try transaction.send(
            "UPDATE remote_login SET state = $1, device_id = $2 WHERE id = $3", .text(state.rawValue),
            .text(device?.rawValue), .text(id.rawValue))
    }
}

extension RemoteLogin {
    /// The columns for ``init(_:at:)``.
    static let columns =
        "id, user_id, details, number, is_claimed::int::bigint AS is_claimed, state, device_id, expires_at"

    /// Decodes a row.
    ///
    /// - Throws: `RelyingPartyStoreError` `corrupt` if the row is invalid, or if its columns contradict each other.
    init(_ row: PostgresRow, at now: NumericDate) throws(RelyingPartyStoreError) {
        let details: RemoteLoginDetails = try row.json("details")
        let number: RemoteLoginNumber? = try row.optionalText("number") == nil ? nil : try row.identifier("number")
        guard details.expiresAt == (try row.date("expires_at")), details.hasNumber == (number != nil) else {
            throw RelyingPartyStoreError(.corrupt)
        }
        self.init(
            id: try row.identifier("id"), user: try row.identifier("user_id"), details: details, number: number,
            isClaimed: try row.integer("is_claimed") != 0,
            state: try RemoteLoginState(stored: row.text("state"), until: details.expiresAt, at: now),
            device: try row.optionalText("device_id") == nil ? nil : row.identifier("device_id"))
    }
}
