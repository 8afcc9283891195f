package import NightlatchRelyingParty
package import NightlatchWire
import Testing

extension RelyingPartyStore {
    package func newCode(for user: UserID) async throws -> EnrolmentCodeMAC {
        let code: EnrolmentCodeMAC = Fixture.hash()
        _ = try await createEnrolmentCode(
            NewEnrolmentCode(mac: code, user: user, actor: .backend, life: .seconds(600)))
        return code
    }

    /// Binds `device` with a new code.
    package func bind(_ device: TestDevice, to user: UserID) async throws -> DeviceID {
        let outcome = try await bind(
            try device.binding(user: user, code: try await newCode(for: user)), consuming: Fixture.use())
        guard case .bound(let id) = outcome else { throw StepFailed(outcome: "\(outcome)") }
        return id
    }

    /// Revokes a device for its user.
    package func revoke(_ device: DeviceID, of user: UserID) async throws(RelyingPartyStoreError) -> DeviceRecord? {
        try await revoke(device, of: user, by: .user)
    }

    /// Returns all devices of `user`.
    package func devices(of user: UserID) async throws -> [DeviceRecord] {
        try await devices(of: user, activeLimit: .max, revokedLimit: .max)
    }

    /// Logs `device` in.
    package func logIn(_ device: TestDevice, id: DeviceID, user: UserID) async throws -> StoredToken {
        let token = StoredToken(of: id)
        let outcome = try await recordLogin(
            try device.login(id: id, user: user, token: token), consuming: Fixture.use())
        #expect(outcome == .loggedIn)
        return token
    }

    package func refresh(
        _ token: StoredToken,
        by device: TestDevice,
        clients: Set<ClientID> = [.default]
    ) async throws -> (RotationOutcome, StoredToken) {
        let successor = StoredToken(after: token)
        let outcome = try await rotateRefreshToken(
            RefreshRotation(
                family: token.family, presented: token.hash, successor: successor.hash,
                possessionKey: device.possession.id, clients: clients, refreshLife: StoredToken.life))
        return (outcome, successor)
    }
}

/// A refresh token in the form in which a store has it.
package struct StoredToken: Hashable, Sendable {
    package static let life: Duration = .seconds(30 * 24 * 60 * 60)

    package let family: RefreshFamilyID
    package let hash: RefreshTokenHash = Fixture.hash()

    /// Makes the first token of a new family.
    package init(of device: DeviceID) {
        family = .random(of: device)
    }

    /// Makes another token of the same family.
    package init(after token: Self) {
        family = token.family
    }
}

package struct StepFailed: Error {
    package let outcome: String

    package init(outcome: String) {
        self.outcome = outcome
    }
}

extension RotationOutcome {
    package var isRotated: Bool {
        if case .rotated = self { true } else { false }
    }
}

extension TestDevice {
    package func binding(
        user: UserID,
        client: ClientID = .default,
        code: EnrolmentCodeMAC,
        activeDeviceLimit: Int = .max,
        policy: DevicePolicy = .many
    ) throws -> NewBinding {
        NewBinding(
            enrolmentCode: code, user: user, client: client, key: try key.jwk, algorithm: algorithm,
            possessionKey: try possession.id,
            name: try Fixture.phone(), activeDeviceLimit: activeDeviceLimit, policy: policy)
    }

    package func login(
        id: DeviceID,
        user: UserID,
        token: StoredToken? = nil,
        pinGuessLimit: Int? = nil
    ) throws -> NewLogin {
        let token = token ?? StoredToken(of: id)
        return NewLogin(
            device: id, user: user, possessionKey: try possession.id, authentication: Fixture.authentication,
            refreshFamily: token.family,
            refreshToken: token.hash, refreshLife: StoredToken.life, pinGuessLimit: pinGuessLimit)
    }
}

extension RelyingPartyStore {
    /// Purges data that has expired by the test's time.
    package func purgeExpired() async throws(RelyingPartyStoreError) {
        try await purgeExpired(before: PurgeTimes(brief: TestTime.current, lasting: TestTime.current))
    }
}
