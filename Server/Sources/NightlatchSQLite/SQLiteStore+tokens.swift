import Foundation
import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func recordLogin(
        _ login: NewLogin, consuming use: ChallengeUse
    ) async throws(RelyingPartyStoreError) -> LoginOutcome {
        return try await write { database, now in
            guard now <= use.expiresAt else { return .challengeExpired }
            if let limit = login.pinGuessLimit {
                // Checked first, so that a used challenge is reported even if the state of the PIN is unreadable.
                guard try UsedChallengeRow(use, in: database) == nil else { return .challengeUsed }
                guard try Self.pinHardening(of: login.device, in: database).isEnrolled(guessLimit: limit, at: now)
                else { return try Self.refusal(of: login, consuming: use, in: database) ?? .pinNotEnrolled }
            }
            // A device has one family: the new one replaces the old.
            try KeptStatement(
                """
                UPDATE device SET last_login_at = ?, possession_key_id = ?, family_id = ?, current_hash = ?, previous_hash = NULL,
                family_expires_at = ?, authenticated_at = ?, user_verification = ?
                WHERE id = ? AND user_id = ? AND revoked_at IS NULL AND blocked_at IS NULL
                AND NOT EXISTS (SELECT 1 FROM used_challenge WHERE expires_at = ? AND challenge = ?)
                """,
                in: database
            ).run(
                .integer(now.secondsSince1970), .text(login.possessionKey.rawValue), .blob(login.refreshFamily.bytes),
                .blob(login.refreshToken.bytes), .integer((now + login.refreshLife).secondsSince1970),
                .integer(login.authentication.time.secondsSince1970),
                login.authentication.userVerification.map { .text($0.rawValue) } ?? .null, .text(login.device.rawValue),
                .text(login.user.rawValue), .integer(use.expiresAt.secondsSince1970), .text(use.challenge.rawValue))
            guard database.changesCount == 1 else {
                return try Self.refusal(of: login, consuming: use, in: database) ?? .noSuchDevice
            }
            try UsedChallengeRow.insert(use, device: login.device, in: database)
            try append(
                AuditEvent(.loggedIn, by: .device, user: login.user, device: login.device), at: now, in: database)
            return .loggedIn
        }
    }

    /// Returns the reason to refuse `login` because of its challenge or device; nil if there is none.
    private static func refusal(
        of login: NewLogin,
        consuming use: ChallengeUse,
        in database: Database
    ) throws -> LoginOutcome? {
        guard try UsedChallengeRow(use, in: database) == nil else { return .challengeUsed }
        guard let device = try device(login.device, of: login.user, in: database) else { return .noSuchDevice }
        return device.stop.map(LoginOutcome.deviceStopped)
    }

    public func rotateRefreshToken(_ rotation: RefreshRotation) async throws(RelyingPartyStoreError) -> RotationOutcome
    {
        return try await write { database, now in
            guard var family = try RefreshFamilyRow(rotation.family, in: database)?.family else { return .refused }
            let outcome = family.rotate(rotation, at: now)
            switch outcome {
            case .rotated:
                try KeptStatement(
                    "UPDATE device SET previous_hash = ?, current_hash = ?, family_expires_at = ? WHERE id = ?",
                    in: database
                ).run(
                    family.previous.map { .blob($0.bytes) } ?? .null, .blob(family.current.bytes),
                    .integer(family.expiresAt.secondsSince1970), .text(family.device.rawValue))
            case .reused:
                try Self.revokeFamily(of: family.device, in: database)
                try append(
                    AuditEvent(.refreshTokenReused, by: .device, user: family.user, device: family.device), at: now,
                    in: database)
            case .refused: break
            }
            return outcome
        }
    }

    public func refreshFamily(_ id: RefreshFamilyID) async throws(RelyingPartyStoreError) -> LiveRefreshFamily? {
        let now = clock.now()
        return try readOnce { database in
            guard let row = try RefreshFamilyRow(id, in: database), now <= row.family.expiresAt, row.device.stop == nil
            else { return nil }
            return LiveRefreshFamily(
                device: row.device, possessionKey: row.family.possessionKey, authentication: row.family.authentication,
                usableTokens: row.family.usableTokens, expiresAt: row.family.expiresAt)
        }
    }

    public func revokeRefreshFamily(
        _ id: RefreshFamilyID,
        possessionKey: KeyID
    ) async throws(RelyingPartyStoreError) -> FamilyRevocationOutcome {
        return try await write { database, now in
            guard let device = try RefreshFamilyRow(id, in: database)?.device else { return .gone }
            guard device.possessionKey == possessionKey else { return .otherKey }
            try Self.revokeFamily(of: device.id, in: database)
            try append(
                AuditEvent(.loggedOut, by: .device, user: device.user, device: device.id), at: now, in: database)
            return .gone
        }
    }
}
