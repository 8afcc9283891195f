public import NightlatchRelyingParty
import NightlatchWire

extension PostgresStore {
    public func recordLogin(
        _ login: NewLogin, consuming use: ChallengeUse
    ) async throws(RelyingPartyStoreError) -> LoginOutcome {
        // Two logins of one device may share a transaction: the effect is the same as with two transactions.
        try await shareWrite(using: use.challenge.rawValue) { transaction in
            // Serialises with logins of the same device in other transactions, and with a revocation.
            let device = try transaction.lockRow(
                "SELECT \(DeviceStop.columns) FROM device WHERE id = $1 AND user_id = $2",
                .text(login.device.rawValue), .text(login.user.rawValue))
            let used = try transaction.send(UsedChallenge.query, .text(use.challenge.rawValue))
            let pin = try login.pinGuessLimit.map { limit in
                (limit, try transaction.send(Self.selectPinHardening, .text(login.device.rawValue)))
            }
            return {
                let now = try transaction.now()
                guard now <= use.expiresAt else { return .challengeExpired }
                guard try used.rows().isEmpty else { return .challengeUsed }
                guard let row = try transaction.lockedRow(device) else { return .noSuchDevice }
                if let stop = try DeviceStop(row) { return .deviceStopped(stop) }
                if let (limit, answer) = pin, try !PinHardening(answer).isEnrolled(guessLimit: limit, at: now) {
                    return .pinNotEnrolled
                }
                try transaction.send(
                    "UPDATE device SET last_login_at = $1, possession_key_id = $2 WHERE id = $3",
                    .integer(now.secondsSince1970), .text(login.possessionKey.rawValue), .text(login.device.rawValue))
                // A device has one family: the new one replaces the old one.
                try transaction.send(
                    """
                    INSERT INTO refresh_family
                    (id, device_id, possession_key_id, current_hash, expires_at, authenticated_at, user_verification)
                    VALUES ($1, $2, $3, $4, $5, $6, $7)
                    ON CONFLICT (device_id) DO UPDATE SET id = excluded.id, possession_key_id = excluded.possession_key_id,
                    current_hash = excluded.current_hash, previous_hash = NULL, expires_at = excluded.expires_at,
                    authenticated_at = excluded.authenticated_at, user_verification = excluded.user_verification
                    """,
                    .bytes(login.refreshFamily.bytes), .text(login.device.rawValue),
                    .text(login.possessionKey.rawValue),
                    .bytes(login.refreshToken.bytes), .integer((now + login.refreshLife).secondsSince1970),
                    .integer(login.authentication.time.secondsSince1970),
                    .text(login.authentication.userVerification?.rawValue))
                try UsedChallenge.insert(use, device: login.device, in: transaction)
                try transaction.append(AuditEvent(.loggedIn, by: .device, user: login.user, device: login.device))
                return .loggedIn
            }
        }
    }

    public func rotateRefreshToken(_ rotation: RefreshRotation) async throws(RelyingPartyStoreError) -> RotationOutcome
    {
        try await write { transaction in
            let id = PostgresValue.bytes(rotation.family.bytes)
            let row = try transaction.rows(
                """
                SELECT device_id, refresh_family.possession_key_id, current_hash, previous_hash, expires_at, user_id,
                client_id, authenticated_at, user_verification
                FROM refresh_family JOIN device ON device.id = device_id
                WHERE refresh_family.id = $1 FOR NO KEY UPDATE OF refresh_family
                """,
                id
            ).first
            guard let row else { return .refused }
            var family = try RefreshFamily(row)
            let outcome = family.rotate(rotation, at: try transaction.now())
            switch outcome {
            case .rotated:
                try transaction.send(
                    "UPDATE refresh_family SET previous_hash = $1, current_hash = $2, expires_at = $3 WHERE id = $4",
                    .bytes(rotation.presented.bytes), .bytes(rotation.successor.bytes),
                    .integer(family.expiresAt.secondsSince1970), id)
            case .reused:
                try transaction.send("DELETE FROM refresh_family WHERE id = $1", id)
                try transaction.append(
                    AuditEvent(.refreshTokenReused, by: .device, user: family.user, device: family.device))
            case .refused: break
            }
            return outcome
        }
    }
}

extension RefreshFamily {
    fileprivate init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        self.init(
            device: try row.identifier("device_id"), user: try row.identifier("user_id"),
            client: try row.identifier("client_id"), possessionKey: try row.identifier("possession_key_id"),
            authentication: try Authentication(row), current: RefreshTokenHash(try row.bytes("current_hash")),
            previous: try row.optionalBytes("previous_hash").map { RefreshTokenHash($0) },
            expiresAt: try row.date("expires_at"))
    }
}
