import NightlatchServer
import NightlatchWire
import Testing

extension RelyingPartyStore {
    func newCode(for user: UserID) async throws -> EnrolmentCodeMAC {
        let code: EnrolmentCodeMAC = Fixture.hash()
        _ = try await createEnrolmentCode(code, for: user, life: .seconds(600))
        return code
    }

    /// Binds `device` with a new code.
    func bind(_ device: TestDevice, to user: UserID) async throws -> DeviceID {
        let outcome = try await bind(
            try device.binding(user: user, code: try await newCode(for: user)), consuming: Fixture.use())
        guard case .bound(let id) = outcome else { throw StepFailed(outcome: "\(outcome)") }
        return id
    }

    /// Logs `device` in.
    func logIn(_ device: TestDevice, id: DeviceID, user: UserID) async throws -> RefreshTokenHash {
        let token: RefreshTokenHash = Fixture.hash()
        let outcome = try await recordLogin(
            try device.login(id: id, user: user, token: token), consuming: Fixture.use())
        #expect(outcome == .loggedIn)
        return token
    }

    func refresh(_ token: RefreshTokenHash, by device: TestDevice) async throws -> (RotationOutcome, RefreshTokenHash) {
        let successor: RefreshTokenHash = Fixture.hash()
        let outcome = try await rotateRefreshToken(
            RefreshRotation(
                presented: token, successor: successor, possessionKey: device.possession.id,
                refreshLife: .seconds(30 * 24 * 60 * 60)))
        return (outcome, successor)
    }
}

struct StepFailed: Error {
    let outcome: String
}

extension RotationOutcome {
    var isRotated: Bool {
        if case .rotated = self { true } else { false }
    }
}

extension TestDevice {
    func binding(user: UserID, code: EnrolmentCodeMAC) throws -> NewBinding {
        NewBinding(
            enrolmentCode: code, user: user, client: .default, key: try key.jwk, possessionKey: try possession.id,
            name: try Fixture.phone())
    }

    func login(id: DeviceID, user: UserID, token: RefreshTokenHash = Fixture.hash()) throws -> NewLogin {
        NewLogin(
            device: id, user: user, possessionKey: try possession.id, refreshToken: token,
            refreshLife: .seconds(30 * 24 * 60 * 60))
    }
}
