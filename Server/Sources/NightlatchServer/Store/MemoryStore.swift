public import NightlatchWire

/// A store that forgets all when its process ends: for tests and for trying things out.
public actor MemoryStore: RelyingPartyStore {
    private let clock: WallClock
    private var users: Set<UserID> = []
    private var codes: [EnrolmentCodeMAC: Code] = [:]
    private var devices: [DeviceID: RegisteredDevice] = [:]
    private var usedChallenges: [Challenge: UsedChallenge] = [:]
    private var families: [DeviceID: [RefreshFamily]] = [:]
    private var keys: [SealedSigningKey] = []

    private struct Code {
        let user: UserID
        let expiresAt: NumericDate
        var usedBy: (key: KeyID, device: DeviceID)?
    }

    private struct UsedChallenge {
        let message: MessageHash
        let device: DeviceID
        let expiresAt: NumericDate
    }

    public init(clock: WallClock = .system) {
        self.clock = clock
    }

    public func createEnrolmentCode(
        _ code: EnrolmentCodeMAC,
        for user: UserID,
        life: Duration
    ) async throws(StoreError) -> NumericDate {
        users.insert(user)
        let expiresAt = clock.now() + life
        codes[code] = Code(user: user, expiresAt: expiresAt)
        return expiresAt
    }

    public func user(enrolledBy code: EnrolmentCodeMAC, deviceKey: KeyID) async throws(StoreError) -> UserID? {
        usableCode(code, for: deviceKey)?.user
    }

    public func bind(_ binding: NewBinding, consuming use: ChallengeUse) async throws(StoreError) -> BindingOutcome {
        purge()
        let keyID = binding.key.thumbprint
        guard clock.now() <= use.expiresAt else { return .challengeExpired }
        if let used = usedChallenges[use.challenge] {
            guard used.message == use.message else { return .challengeUsed }
            return devices[used.device]?.revokedAt == nil ? .bound(used.device) : .deviceRevoked
        }
        guard let code = usableCode(binding.enrolmentCode, for: keyID), code.user == binding.user else {
            return .codeRefused
        }
        var device =
            devices.values.first { $0.key == binding.key }
            ?? RegisteredDevice(
                id: .random(), user: binding.user, client: binding.client, key: binding.key,
                possessionKey: binding.possessionKey, name: binding.name, boundAt: clock.now())
        guard device.user == binding.user, device.client == binding.client else { return .keyOfAnotherUser }
        guard device.revokedAt == nil else { return .deviceRevoked }
        device.possessionKey = binding.possessionKey
        device.name = binding.name
        devices[device.id] = device
        codes[binding.enrolmentCode]?.usedBy = (keyID, device.id)
        note(use, device: device.id)
        return .bound(device.id)
    }

    public func device(_ id: DeviceID, of user: UserID) async throws(StoreError) -> RegisteredDevice? {
        devices[id].flatMap { $0.user == user ? $0 : nil }
    }

    public func recordLogin(_ login: NewLogin, consuming use: ChallengeUse) async throws(StoreError) -> LoginOutcome {
        purge()
        guard clock.now() <= use.expiresAt else { return .challengeExpired }
        guard usedChallenges[use.challenge] == nil else { return .challengeUsed }
        guard var device = devices[login.device], device.user == login.user else { return .noSuchDevice }
        guard device.revokedAt == nil else { return .deviceRevoked }
        device.lastLoginAt = clock.now()
        device.possessionKey = login.possessionKey
        devices[device.id] = device
        families[device.id, default: []].append(
            RefreshFamily(
                possessionKey: login.possessionKey, first: login.refreshToken,
                expiresAt: clock.now() + login.refreshLife))
        note(use, device: device.id)
        return .loggedIn
    }

    public func rotateRefreshToken(_ rotation: RefreshRotation) async throws(StoreError) -> RotationOutcome {
        purge()
        for (id, familiesOfDevice) in families {
            guard let index = familiesOfDevice.firstIndex(where: { $0.tokens.contains(rotation.presented) }),
                let device = devices[id]
            else { continue }
            var family = familiesOfDevice[index]
            guard family.possessionKey == rotation.possessionKey else { return .refused }
            guard family.rotate(rotation, now: clock.now()) else {
                families[id]?.remove(at: index)
                return .reused
            }
            families[id]?[index] = family
            return .rotated(device: device.id, user: device.user, client: device.client)
        }
        return .refused
    }

    public func devices(of user: UserID) async throws(StoreError) -> [RegisteredDevice] {
        devices.values.filter { $0.user == user }
            .sorted { ($0.boundAt, $0.id.rawValue) < ($1.boundAt, $1.id.rawValue) }
    }

    public func revoke(_ device: DeviceID, of user: UserID) async throws(StoreError) -> RegisteredDevice? {
        guard var found = devices[device], found.user == user else { return nil }
        found.revokedAt = found.revokedAt ?? clock.now()
        devices[device] = found
        families[device] = nil
        return found
    }

    public func addSigningKeyIfNone(_ key: SealedSigningKey) async throws(StoreError) -> [SealedSigningKey] {
        if keys.isEmpty { keys.append(key) }
        return keys
    }

    public func signingKeys() async throws(StoreError) -> [SealedSigningKey] { keys }

    public func purgeExpired() async throws(StoreError) { purge() }

    public func checkReadiness() async throws(StoreError) {}

    private func usableCode(_ mac: EnrolmentCodeMAC, for key: KeyID) -> Code? {
        guard let code = codes[mac] else { return nil }
        if let usedBy = code.usedBy { return usedBy.key == key ? code : nil }
        return clock.now() <= code.expiresAt ? code : nil
    }

    private func note(_ use: ChallengeUse, device: DeviceID) {
        usedChallenges[use.challenge] = UsedChallenge(message: use.message, device: device, expiresAt: use.expiresAt)
    }

    private func purge() {
        let now = clock.now()
        usedChallenges = usedChallenges.filter { $0.value.expiresAt + ChallengeUse.retention >= now }
        codes = codes.filter { $0.value.expiresAt + StoreRetention.enrolmentCode >= now }
        families = families.mapValues { $0.filter { $0.expiresAt >= now } }
    }
}
