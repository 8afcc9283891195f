import NightlatchRelyingParty
import NightlatchWire

/// A store that can be read but no longer written.
struct BrokenStore: RelyingPartyStore {
    let reading: any RelyingPartyStore
    let failure: StoreError

    func createEnrolmentCode(_ code: NewEnrolmentCode) async throws(StoreError) -> NumericDate? { throw failure }

    func user(enrolledBy code: EnrolmentCodeMAC, deviceKey: KeyID) async throws(StoreError) -> UserID? {
        try await reading.user(enrolledBy: code, deviceKey: deviceKey)
    }

    func bind(_ binding: NewBinding, consuming use: ChallengeUse) async throws(StoreError) -> BindingOutcome {
        throw failure
    }

    func device(_ id: DeviceID, of user: UserID) async throws(StoreError) -> RegisteredDevice? {
        try await reading.device(id, of: user)
    }

    func device(withKey key: KeyID, of user: UserID) async throws(StoreError) -> RegisteredDevice? {
        try await reading.device(withKey: key, of: user)
    }

    func recordLogin(_ login: NewLogin, consuming use: ChallengeUse) async throws(StoreError) -> LoginOutcome {
        throw failure
    }

    func rotateRefreshToken(_ rotation: RefreshRotation) async throws(StoreError) -> RotationOutcome { throw failure }

    func devices(
        of user: UserID,
        activeLimit: Int,
        revokedLimit: Int
    ) async throws(StoreError) -> [RegisteredDevice] {
        try await reading.devices(of: user, activeLimit: activeLimit, revokedLimit: revokedLimit)
    }

    func change(
        _ device: DeviceID,
        of user: UserID,
        by actor: ActingParty,
        _ change: DeviceChange
    ) async throws(StoreError) -> RegisteredDevice? { throw failure }

    func users(
        startingWith prefix: UserID?,
        after last: UserID?,
        limit: Int
    ) async throws(StoreError) -> [RegisteredUser] {
        try await reading.users(startingWith: prefix, after: last, limit: limit)
    }

    func user(_ id: UserID) async throws(StoreError) -> RegisteredUser? { try await reading.user(id) }

    func audit(_ event: AuditEvent) async throws(StoreError) { throw failure }

    func auditHeads() async throws(StoreError) -> [AuditHead] { try await reading.auditHeads() }

    func auditRows(after place: AuditPlace?, limit: Int) async throws(StoreError) -> [AuditRow] {
        try await reading.auditRows(after: place, limit: limit)
    }

    func auditEntries(
        of user: UserID?,
        before position: AuditPosition?,
        limit: Int
    ) async throws(StoreError) -> [AuditEntry] {
        try await reading.auditEntries(of: user, before: position, limit: limit)
    }

    func createTransaction(_ transaction: NewTransaction) async throws(StoreError) -> TransactionCreation {
        throw failure
    }

    func transaction(_ id: TransactionID) async throws(StoreError) -> RecordedTransaction? {
        try await reading.transaction(id)
    }

    func transactions(of user: UserID, endedLimit: Int) async throws(StoreError) -> [RecordedTransaction] {
        try await reading.transactions(of: user, endedLimit: endedLimit)
    }

    func voidTransaction(_ id: TransactionID, by actor: ActingParty) async throws(StoreError) -> VoidingOutcome {
        throw failure
    }

    func decideTransaction(
        _ decision: NewDecision,
        consuming use: ChallengeUse
    ) async throws(StoreError) -> DecisionOutcome { throw failure }

    func refreshFamily(_ id: RefreshFamilyID) async throws(StoreError) -> LiveRefreshFamily? {
        try await reading.refreshFamily(id)
    }

    func revokeRefreshFamily(
        _ id: RefreshFamilyID,
        possessionKey: KeyID
    ) async throws(StoreError) -> FamilyRevocationOutcome { throw failure }

    func signingKeys() async throws(StoreError) -> [SealedSigningKey] { try await reading.signingKeys() }

    func addSigningKey(
        _ key: SealedSigningKey,
        after newest: KeyID?
    ) async throws(StoreError) -> [SealedSigningKey] {
        try await reading.addSigningKey(key, after: newest)
    }

    func removeSigningKeys(supersededBefore time: NumericDate) async throws(StoreError) { throw failure }

    func limitSigningKeys(startBy time: NumericDate) async throws(StoreError) { throw failure }

    func forgetSigningKeys() async throws(StoreError) -> Int { throw failure }

    func setPassword(_ password: StoredPassword, of user: UserID) async throws(StoreError) { throw failure }

    func chargePasswordAttempt(of user: UserID) async throws(StoreError) -> StoredPassword? { throw failure }

    func acceptPassword(
        _ password: StoredPassword,
        raisedTo raised: StoredPassword?,
        of user: UserID
    ) async throws(StoreError) { throw failure }

    func journeyDevices(of user: UserID) async throws(StoreError) -> [JourneyDevice] {
        try await reading.journeyDevices(of: user)
    }

    func journeyDevice(_ id: JourneyKeyID, of user: UserID) async throws(StoreError) -> JourneyDevice? {
        try await reading.journeyDevice(id, of: user)
    }

    func isJourneyKeyTaken(
        _ key: KeyID,
        as id: JourneyKeyID,
        of user: UserID
    ) async throws(StoreError) -> Bool {
        try await reading.isJourneyKeyTaken(key, as: id, of: user)
    }

    func journeyGeneration(of user: UserID) async throws(StoreError) -> Int {
        try await reading.journeyGeneration(of: user)
    }

    func recordJourneyStep(_ step: JourneyStep) async throws(StoreError) -> JourneyStepOutcome { throw failure }

    func journeySession(_ token: JourneySessionHash) async throws(StoreError) -> JourneySession? {
        try await reading.journeySession(token)
    }

    func journeySessions(of user: UserID, limit: Int) async throws(StoreError) -> [JourneySession] {
        try await reading.journeySessions(of: user, limit: limit)
    }

    func endJourneySessions(of user: UserID, by actor: ActingParty) async throws(StoreError) -> Int {
        throw failure
    }

    func endConsoleSession(_ id: ConsoleSessionID, expiresAt: NumericDate) async throws(StoreError) { throw failure }

    func isConsoleSessionEnded(_ id: ConsoleSessionID) async throws(StoreError) -> Bool {
        try await reading.isConsoleSessionEnded(id)
    }

    func endJourneySession(_ token: JourneySessionHash) async throws(StoreError) { throw failure }

    func renameJourneyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        to name: DeviceName,
        by actor: ActingParty
    ) async throws(StoreError) -> JourneyDevice? { throw failure }

    func removeJourneyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        by actor: ActingParty,
        keeping session: JourneySessionHash?
    ) async throws(StoreError) -> JourneyDevice? { throw failure }

    func pinHardening(of device: DeviceID) async throws(StoreError) -> PinHardening {
        try await reading.pinHardening(of: device)
    }

    func pinHardening(of device: DeviceID, naming key: KeyID) async throws(StoreError) -> PinHardening? {
        try await reading.pinHardening(of: device, naming: key)
    }

    func recordPinStep(
        _ step: PinStep,
        of device: DeviceID,
        user: UserID
    ) async throws(StoreError) -> PinStepOutcome { throw failure }

    func destroyDuePinKeys(guessLimit: Int) async throws(StoreError) { throw failure }

    func purgeExpired(before times: PurgeTimes) async throws(StoreError) { throw failure }

    func checkReadiness() async throws(StoreError) { throw failure }
}
