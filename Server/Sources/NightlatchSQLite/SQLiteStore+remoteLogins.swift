import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func openRemoteLogin(_ login: RemoteLogin) async throws(RelyingPartyStoreError) -> RemoteLoginOpening {
        try await write { database, now in
            let known = try Self.remoteLogin(login.id, at: now, in: database)
            let isUserKnown = try KeptStatement("SELECT 1 FROM user WHERE id = ?", in: database)
                .first(.text(login.user.rawValue)) { _ in true }
            let requests = try KeptStatement(
                """
                SELECT \(RemoteLogin.columns) FROM remote_login
                WHERE user_id = ? AND expires_at >= ? AND is_claimed = 0
                """, in: database
            ).all(.text(login.user.rawValue), .integer(now.secondsSince1970)) { try RemoteLogin($0, at: now) }
            let outcome = login.opening(
                known: known, isUserKnown: isUserKnown ?? false,
                requestCount: requests.count { $0.countsAsRequest(like: login, at: now) }, now: now)
            switch outcome {
            case .opened(let new) where known == nil:
                try Self.insert(new, in: database)
                try append(AuditEvent(opened: new), at: now, in: database)
            case .contested(let contested) where contested.state != known?.state:
                try Self.update(contested.id, to: contested.state, by: contested.device, in: database)
                try append(AuditEvent(contested: contested), at: now, in: database)
            case .opened, .contested, .userUnknown, .tooMany, .expired: break
            }
            return outcome
        }
    }

    public func remoteLogin(_ id: RemoteLoginID) async throws(RelyingPartyStoreError) -> RemoteLogin? {
        let now = clock.now()
        return try readOnce { database in try Self.remoteLogin(id, at: now, in: database) }
    }

    public func remoteLogins(
        of user: UserID, limit: Int
    ) async throws(RelyingPartyStoreError) -> [RemoteLogin] {
        let now = clock.now()
        return try readOnce { database in
            try KeptStatement(
                """
                SELECT \(RemoteLogin.columns) FROM remote_login WHERE user_id = ? AND expires_at >= ?
                ORDER BY requested_at DESC, id DESC LIMIT ?
                """, in: database
            ).all(.text(user.rawValue), .integer(now.secondsSince1970), .integer(limit)) {
                try RemoteLogin($0, at: now)
            }.reversed()
        }
    }

    public func decideRemoteLogin(
        _ decision: NewRemoteLoginDecision, consuming use: ChallengeUse
    ) async throws(RelyingPartyStoreError) -> RemoteLoginDecisionOutcome {
        try await write { database, now in
            let device = try Self.device(decision.device, of: decision.user, in: database)
            let known = try Self.remoteLogin(decision.login, at: now, in: database)
            let (outcome, isNew) = decision.outcome(
                on: known, isDeviceKnown: device != nil, stop: device?.stop, consuming: use,
                usedBy: try UsedChallengeRow(use, in: database)?.message, now: now)
            guard isNew, case .recorded(let state) = outcome, let known else { return outcome }
            try Self.update(known.id, to: state, by: decision.device, in: database)
            try UsedChallengeRow.insert(use, device: decision.device, in: database)
            try append(AuditEvent(decision, on: known, state: state), at: now, in: database)
            return outcome
        }
    }

    public func completeRemoteLogin(
        _ completion: RemoteLoginCompletion
    ) async throws(RelyingPartyStoreError) -> RemoteLoginCompletionOutcome {
        try await write { database, now in
            guard let known = try Self.remoteLogin(completion.login, at: now, in: database) else { return .refused }
            let device = try known.device.flatMap { try Self.device($0, of: known.user, in: database) }
            let effects = completion.effects(
                on: known, isDeviceActive: device.map { $0.stop == nil } ?? false,
                isAppRegistered: try Self.isRegistered(known.details.client, in: database), now: now)
            guard let effects else { return .refused }
            try Self.update(known.id, to: .completed, by: known.device, in: database)
            try Self.insert(effects.session, at: now, in: database)
            try append(AuditEvent(completed: known), at: now, in: database)
            switch effects.access {
            case .code(let code, let hash): try Self.insert(code, as: hash, at: now, in: database)
            case .grant(let grant):
                try Self.insert(grant, in: database)
                try append(AuditEvent(.appTokensIssued, to: grant.authorization), at: now, in: database)
            case .none: break
            }
            return effects.outcome
        }
    }

    private static func remoteLogin(
        _ id: RemoteLoginID, at now: NumericDate, in database: Database
    ) throws -> RemoteLogin? {
        try KeptStatement("SELECT \(RemoteLogin.columns) FROM remote_login WHERE id = ?", in: database)
            .first(.text(id.rawValue)) { try RemoteLogin($0, at: now) }
    }

    private static func insert(_ login: RemoteLogin, in database: Database) throws {
        try KeptStatement(
            """
            INSERT INTO remote_login
            (id, user_id, details, number, is_claimed, state, device_id, requested_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, in: database
        ).run(
            .text(login.id.rawValue), .text(login.user.rawValue), .json(login.details),
            login.number.map { .text($0.rawValue) } ?? .null, .integer(login.isClaimed ? 1 : 0),
            .text(login.state.rawValue), login.device.map { .text($0.rawValue) } ?? .null,
            .integer(login.details.requestedAt.secondsSince1970), .integer(login.details.expiresAt.secondsSince1970))
    }

    private static func update(
        _ id: RemoteLoginID, to state: RemoteLoginState, by device: DeviceID?, in database: Database
    ) throws {
        try KeptStatement("UPDATE remote_login SET state = ?, device_id = ? WHERE id = ?", in: database).run(
            .text(state.rawValue), device.map { .text($0.rawValue) } ?? .null, .text(id.rawValue))
    }
}

extension RemoteLogin {
    /// The columns for ``init(_:at:)``, in its order.
    static let columns = "id, user_id, details, number, is_claimed, state, device_id, expires_at"

    /// Decodes a row.
    ///
    /// - Throws: `RelyingPartyStoreError` `corrupt` if the row is invalid, or if its columns contradict each other.
    init(_ row: KeptRow, at now: NumericDate) throws(RelyingPartyStoreError) {
        let details: RemoteLoginDetails = try row.json(2)
        let number: RemoteLoginNumber? = try row.optionalIdentifier(3)
        guard details.expiresAt == (try row.date(7)), details.hasNumber == (number != nil) else {
            throw RelyingPartyStoreError(.corrupt)
        }
        self.init(
            id: try row.identifier(0), user: try row.identifier(1), details: details, number: number,
            isClaimed: try row.integer(4) != 0,
            state: try RemoteLoginState(stored: row.text(5), until: details.expiresAt, at: now),
            device: try row.optionalIdentifier(6))
    }
}
