public import NightlatchWire

extension MemoryStore {
    public func recordLogin(_ login: NewLogin, consuming use: ChallengeUse) async throws(StoreError) -> LoginOutcome {
        guard clock.now() <= use.expiresAt else { return .challengeExpired }
        guard usedChallenges[use.challenge] == nil else { return .challengeUsed }
        guard var device = devices[login.device], device.user == login.user else { return .noSuchDevice }
        if let bar = device.bar { return .deviceBarred(bar) }
        if let limit = login.pinGuessLimit {
            let state = pinHardenings[device.id] ?? PinHardening()
            guard state.isEnrolled(guessLimit: limit, at: clock.now()) else { return .pinNotEnrolled }
        }
        device.lastLoginAt = clock.now()
        device.possessionKey = login.possessionKey
        devices[device.id] = device
        families[device.id] = RefreshFamily(login, now: clock.now())
        note(use, device: device.id)
        append(AuditEvent(.loggedIn, by: .device, user: device.user, device: device.id))
        return .loggedIn
    }

    public func rotateRefreshToken(_ rotation: RefreshRotation) async throws(StoreError) -> RotationOutcome {
        guard var family = families.values.first(where: { $0.id == rotation.family }),
            let device = devices[family.device], family.expiresAt >= clock.now(),
            rotation.clients.contains(device.client),
            family.possessionKey == rotation.possessionKey
        else { return .refused }
        guard family.rotate(rotation, now: clock.now()) else {
            families[device.id] = nil
            append(AuditEvent(.refreshTokenReused, by: .device, user: device.user, device: device.id))
            return .reused
        }
        families[device.id] = family
        return .rotated(
            device: device.id, user: device.user, client: device.client, authentication: family.authentication)
    }

    public func refreshFamily(_ id: RefreshFamilyID) async throws(StoreError) -> LiveRefreshFamily? {
        guard let family = families.values.first(where: { $0.id == id }), family.expiresAt >= clock.now(),
            let device = devices[family.device], device.bar == nil
        else { return nil }
        return LiveRefreshFamily(
            device: device, possessionKey: family.possessionKey, authentication: family.authentication,
            usableTokens: family.usableTokens, expiresAt: family.expiresAt)
    }

    public func revokeRefreshFamily(
        _ id: RefreshFamilyID,
        possessionKey: KeyID
    ) async throws(StoreError) -> FamilyRevocationOutcome {
        guard let family = families.values.first(where: { $0.id == id }) else { return .gone }
        guard family.possessionKey == possessionKey else { return .otherKey }
        families[family.device] = nil
        append(AuditEvent(.loggedOut, by: .device, user: devices[family.device]?.user, device: family.device))
        return .gone
    }
}
