public import NightlatchWire

/// A store that forgets all when its process ends: for tests and for trying things out.
public actor MemoryStore: RelyingPartyStore {
    let clock: WallClock
    /// Since when there is each.
    private(set) var users: [UserID: NumericDate] = [:]
    private var codes: [EnrolmentCodeMAC: Code] = [:]
    private(set) var devices: [DeviceID: RegisteredDevice] = [:]
    private(set) var usedChallenges: [Challenge: UsedChallenge] = [:]
    private var families: [DeviceID: RefreshFamily] = [:]
    private var keys: [SealedSigningKey] = []
    var transactions: [TransactionID: TransactionRecord] = [:]
    private(set) var passwords: [UserID: (password: StoredPassword, throttle: PasswordThrottle)] = [:]
    var journeys = MemoryJourneys()
    /// When each would have ended.
    var endedConsoleSessions: [ConsoleSessionID: NumericDate] = [:]
    var pinHardenings: [DeviceID: PinHardening] = [:]
    private let trail = AuditTrail()
    private var auditLog: [AuditRow] = []

    struct Code {
        let user: UserID
        let expiresAt: NumericDate
        var usedBy: (key: KeyID, device: DeviceID)?
    }

    struct UsedChallenge {
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
        noteUser(user)
        let expiresAt = clock.now() + life
        codes[code] = Code(user: user, expiresAt: expiresAt)
        append(AuditEvent(.enrolmentCodeCreated, by: .backend, user: user))
        return expiresAt
    }

    public func user(enrolledBy code: EnrolmentCodeMAC, deviceKey: KeyID) async throws(StoreError) -> UserID? {
        usableCode(code, for: deviceKey)?.user
    }

    public func bind(_ binding: NewBinding, consuming use: ChallengeUse) async throws(StoreError) -> BindingOutcome {
        let keyID = binding.key.thumbprint
        guard clock.now() <= use.expiresAt else { return .challengeExpired }
        if let used = usedChallenges[use.challenge] {
            guard used.message == use.message else { return .challengeUsed }
            return devices[used.device]?.bar.map(BindingOutcome.deviceBarred) ?? .bound(used.device)
        }
        guard let code = usableCode(binding.enrolmentCode, for: keyID), code.user == binding.user else {
            return .codeRefused
        }
        let known = devices.values.first { $0.key == binding.key }
        if known == nil {
            let active = devices.values.filter { $0.user == binding.user && $0.revokedAt == nil }
            guard binding.allowsOneMore(than: active.count) else { return .tooManyDevices }
        }
        var device =
            known
            ?? RegisteredDevice(
                id: .random(), user: binding.user, client: binding.client, key: binding.key,
                possessionKey: binding.possessionKey, name: binding.name, boundAt: clock.now())
        guard device.user == binding.user, device.client == binding.client else { return .keyTaken }
        if let bar = device.bar { return .deviceBarred(bar) }
        device.possessionKey = binding.possessionKey
        device.name = binding.name
        devices[device.id] = device
        if families[device.id]?.possessionKey != binding.possessionKey { families[device.id] = nil }
        codes[binding.enrolmentCode]?.usedBy = (keyID, device.id)
        note(use, device: device.id)
        append(AuditEvent(.deviceBound, by: .device, user: device.user, device: device.id))
        if binding.policy == .one { replaceOthers(by: device) }
        return .bound(device.id)
    }

    public func device(_ id: DeviceID, of user: UserID) async throws(StoreError) -> RegisteredDevice? {
        devices[id].flatMap { $0.user == user ? $0 : nil }
    }

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
        return .gone
    }

    public func device(withKey key: KeyID, of user: UserID) async throws(StoreError) -> RegisteredDevice? {
        devices.values.first { $0.user == user && $0.key.thumbprint == key }
    }

    public func devices(
        of user: UserID,
        activeLimit: Int,
        revokedLimit: Int
    ) async throws(StoreError) -> [RegisteredDevice] {
        let all = devices.values.filter { $0.user == user }
        let active = all.filter { $0.revokedAt == nil }.sorted(by: RegisteredDevice.areInOrderOfBinding)
        let revoked = all.filter { $0.revokedAt != nil }
            .sorted { ($0.revokedAt ?? $0.boundAt, $0.id.rawValue) < ($1.revokedAt ?? $1.boundAt, $1.id.rawValue) }
        return (active.suffix(activeLimit) + revoked.suffix(revokedLimit)).sorted(
            by: RegisteredDevice.areInOrderOfBinding)
    }

    public func change(
        _ device: DeviceID,
        of user: UserID,
        by actor: AuditEvent.Actor,
        _ change: DeviceChange
    ) async throws(StoreError) -> RegisteredDevice? {
        guard var found = devices[device], found.user == user else { return nil }
        if let kind = found.apply(change, by: actor, at: clock.now()) {
            devices[device] = found
            append(AuditEvent(kind, by: actor, user: user, device: device))
        }
        if found.bar != nil { families[device] = nil }
        if found.revokedAt != nil { destroyPinKeys(of: found, by: actor) }
        return found
    }

    public func signingKeys() async throws(StoreError) -> [SealedSigningKey] { keys }

    public func addSigningKey(
        _ key: SealedSigningKey,
        after newest: KeyID?
    ) async throws(StoreError) -> [SealedSigningKey] {
        if keys.last?.id == newest {
            keys.append(key)
            append(AuditEvent(.signingKeyAdded, by: .server))
        }
        return keys
    }

    public func removeSigningKeys(supersededBefore time: NumericDate) async throws(StoreError) {
        guard let successor = keys.last(where: { $0.activeFrom <= time }) else { return }
        keys.removeAll { $0.activeFrom < successor.activeFrom }
    }

    public func forgetSigningKeys() async throws(StoreError) -> Int {
        let count = keys.count
        keys = []
        if count > 0 { append(AuditEvent(.signingKeysForgotten, by: .operator, count: count)) }
        return count
    }

    public func audit(_ event: AuditEvent) async throws(StoreError) { append(event) }

    public func auditHeads() async throws(StoreError) -> [AuditHead] { auditLog.last.map { [$0.head] } ?? [] }

    public func auditRows(
        of chain: AuditChainID,
        after sequence: Int,
        limit: Int
    ) async throws(StoreError) -> [AuditRow] {
        Array(auditLog.lazy.filter { $0.chain == chain && $0.sequence > sequence }.prefix(limit))
    }

    public func auditEntries(
        of user: UserID?,
        before position: AuditPosition?,
        limit: Int
    ) async throws(StoreError) -> [AuditEntry] {
        let entries = auditLog.compactMap { AuditEntry(bytes: $0.body) }.filter { entry in
            (user == nil || entry.event.user == user) && position.map { AuditPosition(of: entry) < $0 } ?? true
        }
        return Array(entries.sorted { AuditPosition(of: $0) > AuditPosition(of: $1) }.prefix(limit))
    }

    func append(_ event: AuditEvent) {
        auditLog.append(trail.row(for: event, at: clock.now(), after: auditLog.last?.head))
    }

    public func setPassword(_ password: StoredPassword, of user: UserID) async throws(StoreError) {
        noteUser(user)
        passwords[user] = (password, PasswordThrottle())
        append(AuditEvent(.passwordSet, by: .backend, user: user))
        _ = endSessions(of: user, by: .backend)
    }

    public func chargePasswordAttempt(of user: UserID) async throws(StoreError) -> StoredPassword? {
        guard var row = passwords[user], row.throttle.charge(at: clock.now()) else { return nil }
        passwords[user] = row
        return row.password
    }

    public func acceptPassword(
        _ password: StoredPassword,
        raisedTo raised: StoredPassword?,
        of user: UserID
    ) async throws(StoreError) {
        guard passwords[user]?.password == password else { return }
        passwords[user] = (raised ?? password, PasswordThrottle())
    }

    public func purgeExpired() async throws(StoreError) {
        let now = clock.now()
        usedChallenges = usedChallenges.filter { $0.value.expiresAt + ChallengeUse.retention >= now }
        codes = codes.filter { $0.value.expiresAt + StoreRetention.enrolmentCode >= now }
        families = families.filter { $0.value.expiresAt >= now }
        transactions = transactions.filter { $0.value.details.expiresAt + StoreRetention.transaction >= now }
        journeys.purge(at: now)
        endedConsoleSessions = endedConsoleSessions.filter { $0.value + ChallengeUse.retention >= now }
    }

    public func checkReadiness() async throws(StoreError) {}

    func usableCode(_ mac: EnrolmentCodeMAC, for key: KeyID) -> Code? {
        guard let code = codes[mac] else { return nil }
        guard let usedBy = code.usedBy else { return clock.now() <= code.expiresAt ? code : nil }
        return usedBy.key == key && clock.now() <= code.expiresAt + StoreRetention.enrolmentCode ? code : nil
    }

    /// A code that nobody has used yet.
    func unusedCode(_ mac: EnrolmentCodeMAC) -> Code? {
        codes[mac].flatMap { $0.usedBy == nil && clock.now() <= $0.expiresAt ? $0 : nil }
    }

    func use(_ code: EnrolmentCodeMAC, by device: RegisteredDevice) {
        codes[code]?.usedBy = (device.key.thumbprint, device.id)
    }

    private func replaceOthers(by successor: RegisteredDevice) {
        let others = devices.values.filter {
            $0.user == successor.user && $0.revokedAt == nil && $0.id != successor.id
        }
        for var other in others.sorted(by: RegisteredDevice.areInOrderOfBinding) {
            other.replace(by: successor.id, at: clock.now())
            devices[other.id] = other
            families[other.id] = nil
            append(AuditEvent(.deviceReplaced, by: .device, user: other.user, device: other.id))
            destroyPinKeys(of: other, by: .device)
        }
    }

    private func noteUser(_ user: UserID) {
        if users[user] == nil { users[user] = clock.now() }
    }

    func note(_ use: ChallengeUse, device: DeviceID) {
        usedChallenges[use.challenge] = UsedChallenge(message: use.message, device: device, expiresAt: use.expiresAt)
    }
}
