public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func recordLogin(
        _ login: NewLogin, consuming use: ChallengeUse
    ) async throws(RelyingPartyStoreError) -> LoginOutcome {
        guard clock.now() <= use.expiresAt else { return .challengeExpired }
        guard usedChallenges[use.challenge] == nil else { return .challengeUsed }
        guard var device = devices[login.device], device.user == login.user else { return .noSuchDevice }
        if let stop = device.stop { return .deviceStopped(stop) }
        if let limit = login.pinGuessLimit {
            let state = pinHardenings[device.id] ?? PinHardening()
            guard state.isEnrolled(guessLimit: limit, at: clock.now()) else { return .pinNotEnrolled }
        }
        device.lastLoginAt = clock.now()
        device.possessionKey = login.possessionKey
        devices[device.id] = device
        let family = RefreshFamily(
            device: device.id, user: device.user, client: device.client, possessionKey: login.possessionKey,
            authentication: login.authentication, current: login.refreshToken, previous: nil,
            expiresAt: clock.now() + login.refreshLife)
        families[device.id] = (login.refreshFamily, family)
        note(use, device: device.id)
        append(AuditEvent(.loggedIn, by: .device, user: device.user, device: device.id))
        return .loggedIn
    }

    public func rotateRefreshToken(_ rotation: RefreshRotation) async throws(RelyingPartyStoreError) -> RotationOutcome
    {
        guard var family = family(rotation.family) else { return .refused }
        let outcome = family.rotate(rotation, at: clock.now())
        switch outcome {
        case .rotated: families[family.device] = (rotation.family, family)
        case .reused:
            families[family.device] = nil
            append(AuditEvent(.refreshTokenReused, by: .device, user: family.user, device: family.device))
        case .refused: break
        }
        return outcome
    }

    private func family(_ id: RefreshFamilyID) -> RefreshFamily? {
        families.values.first { $0.id == id }?.family
    }

    public func refreshFamily(_ id: RefreshFamilyID) async throws(RelyingPartyStoreError) -> LiveRefreshFamily? {
        guard let family = family(id), family.expiresAt >= clock.now(), let device = devices[family.device],
            device.stop == nil
        else { return nil }
        return LiveRefreshFamily(
            device: device, possessionKey: family.possessionKey, authentication: family.authentication,
            usableTokens: family.usableTokens, expiresAt: family.expiresAt)
    }

    public func revokeRefreshFamily(
        _ id: RefreshFamilyID,
        possessionKey: KeyID
    ) async throws(RelyingPartyStoreError) -> FamilyRevocationOutcome {
        guard let family = family(id) else { return .gone }
        guard family.possessionKey == possessionKey else { return .otherKey }
        families[family.device] = nil
        append(AuditEvent(.loggedOut, by: .device, user: family.user, device: family.device))
        return .gone
    }
}
