package import NightlatchWire

/// A store that records metrics of each verb of another store.
///
/// Ceremonies and routes use this one concrete type for every store. Their code is therefore compiled once, in any
/// module, and does not look up the store's type at each step of a request.
package struct MeasuredStore: RelyingPartyStore {
    let base: any RelyingPartyStore
    let metrics = StoreMetrics()

    package init(base: any RelyingPartyStore) {
        self.base = base
    }

    package func createEnrolmentCode(_ code: NewEnrolmentCode) async throws(StoreError) -> NumericDate? {
        try await metrics.createEnrolmentCode.measure { () async throws(StoreError) in
            try await base.createEnrolmentCode(code)
        }
    }

    package func user(enrolledBy code: EnrolmentCodeMAC, deviceKey: KeyID) async throws(StoreError) -> UserID? {
        try await metrics.userEnrolled.measure { () async throws(StoreError) in
            try await base.user(enrolledBy: code, deviceKey: deviceKey)
        }
    }

    package func bind(_ binding: NewBinding, consuming use: ChallengeUse) async throws(StoreError) -> BindingOutcome {
        try await metrics.bind.measure { () async throws(StoreError) in try await base.bind(binding, consuming: use) }
    }

    package func device(_ id: DeviceID, of user: UserID) async throws(StoreError) -> RegisteredDevice? {
        try await metrics.device.measure { () async throws(StoreError) in try await base.device(id, of: user) }
    }

    package func recordLogin(_ login: NewLogin, consuming use: ChallengeUse) async throws(StoreError) -> LoginOutcome {
        try await metrics.recordLogin.measure { () async throws(StoreError) in
            try await base.recordLogin(login, consuming: use)
        }
    }

    package func rotateRefreshToken(_ rotation: RefreshRotation) async throws(StoreError) -> RotationOutcome {
        try await metrics.rotateRefreshToken.measure { () async throws(StoreError) in
            try await base.rotateRefreshToken(rotation)
        }
    }

    package func refreshFamily(_ id: RefreshFamilyID) async throws(StoreError) -> LiveRefreshFamily? {
        try await metrics.refreshFamily.measure { () async throws(StoreError) in try await base.refreshFamily(id) }
    }

    package func revokeRefreshFamily(
        _ id: RefreshFamilyID, possessionKey: KeyID
    ) async throws(StoreError) -> FamilyRevocationOutcome {
        try await metrics.revokeRefreshFamily.measure { () async throws(StoreError) in
            try await base.revokeRefreshFamily(id, possessionKey: possessionKey)
        }
    }

    package func device(withKey key: KeyID, of user: UserID) async throws(StoreError) -> RegisteredDevice? {
        try await metrics.deviceWithKey.measure { () async throws(StoreError) in
            try await base.device(withKey: key, of: user)
        }
    }

    package func devices(
        of user: UserID, activeLimit: Int, revokedLimit: Int
    ) async throws(StoreError) -> [RegisteredDevice] {
        try await metrics.devices.measure { () async throws(StoreError) in
            try await base.devices(of: user, activeLimit: activeLimit, revokedLimit: revokedLimit)
        }
    }

    package func change(
        _ device: DeviceID, of user: UserID, by actor: ActingParty, _ change: DeviceChange
    ) async throws(StoreError) -> RegisteredDevice? {
        try await metrics.change.measure { () async throws(StoreError) in
            try await base.change(device, of: user, by: actor, change)
        }
    }

    package func users(
        startingWith prefix: UserID?, after last: UserID?, limit: Int
    ) async throws(StoreError) -> [RegisteredUser] {
        try await metrics.users.measure { () async throws(StoreError) in
            try await base.users(startingWith: prefix, after: last, limit: limit)
        }
    }

    package func user(_ id: UserID) async throws(StoreError) -> RegisteredUser? {
        try await metrics.user.measure { () async throws(StoreError) in try await base.user(id) }
    }

    package func purgeExpired(before times: PurgeTimes) async throws(StoreError) {
        try await metrics.purgeExpired.measure { () async throws(StoreError) in
            try await base.purgeExpired(before: times)
        }
    }

    package func checkReadiness() async throws(StoreError) {
        try await metrics.checkReadiness.measure { () async throws(StoreError) in try await base.checkReadiness() }
    }
}
