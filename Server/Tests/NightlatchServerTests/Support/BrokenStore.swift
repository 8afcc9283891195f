import NightlatchRelyingParty
import NightlatchWire

/// A store that can be read but no longer written.
struct BrokenStore: RelyingPartyStore {
    let reading: any RelyingPartyStore
    let failure: RelyingPartyStoreError
    /// Whether API keys cannot be read either.
    var failsReadingKeys = false
    /// Called at each read of an API key.
    var noteKeyRead: @Sendable () -> Void = {}

    func createEnrolmentCode(_ code: NewEnrolmentCode) async throws(RelyingPartyStoreError) -> NumericDate? {
        throw failure
    }

    func user(enrolledBy code: EnrolmentCodeMAC, deviceKey: KeyID) async throws(RelyingPartyStoreError) -> UserID? {
        try await reading.user(enrolledBy: code, deviceKey: deviceKey)
    }

    func bind(_ binding: NewBinding, consuming use: ChallengeUse) async throws(RelyingPartyStoreError) -> BindingOutcome
    {
        throw failure
    }

    func device(_ id: DeviceID, of user: UserID) async throws(RelyingPartyStoreError) -> DeviceRecord? {
        try await reading.device(id, of: user)
    }

    func device(withKey key: KeyID, of user: UserID) async throws(RelyingPartyStoreError) -> DeviceRecord? {
        try await reading.device(withKey: key, of: user)
    }

    func recordLogin(
        _ login: NewLogin, consuming use: ChallengeUse
    ) async throws(RelyingPartyStoreError) -> LoginOutcome {
        throw failure
    }

    func rotateRefreshToken(_ rotation: RefreshRotation) async throws(RelyingPartyStoreError) -> RotationOutcome {
        throw failure
    }

    func devices(
        of user: UserID,
        activeLimit: Int,
        revokedLimit: Int
    ) async throws(RelyingPartyStoreError) -> [DeviceRecord] {
        try await reading.devices(of: user, activeLimit: activeLimit, revokedLimit: revokedLimit)
    }

    func change(
        _ device: DeviceID,
        of user: UserID,
        by actor: ActingParty,
        _ change: DeviceChange
    ) async throws(RelyingPartyStoreError) -> DeviceRecord? { throw failure }

    func users(
        startingWith prefix: UserID?,
        after last: UserID?,
        limit: Int
    ) async throws(RelyingPartyStoreError) -> [UserRecord] {
        try await reading.users(startingWith: prefix, after: last, limit: limit)
    }

    func user(_ id: UserID) async throws(RelyingPartyStoreError) -> UserRecord? { try await reading.user(id) }

    func policies(
        of client: ClientID?, and user: UserID?
    ) async throws(RelyingPartyStoreError) -> [StoredPolicy] {
        try await reading.policies(of: client, and: user)
    }

    func setPolicy(
        _ policy: Policy, of subject: PolicySubject, replacing revision: PolicyRevision?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> PolicyChangeOutcome {
        throw failure
    }

    func profile(of user: UserID) async throws(RelyingPartyStoreError) -> StoredProfile? {
        try await reading.profile(of: user)
    }

    func setProfile(
        _ profile: UserProfile?, of user: UserID, replacing replaced: ReplacedProfile, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> ProfileChangeOutcome {
        throw failure
    }

    func audit(_ event: AuditEvent) async throws(RelyingPartyStoreError) { throw failure }

    func auditHeads() async throws(RelyingPartyStoreError) -> [AuditHead] { try await reading.auditHeads() }

    func auditRows(after place: AuditPlace?, limit: Int) async throws(RelyingPartyStoreError) -> [AuditRow] {
        try await reading.auditRows(after: place, limit: limit)
    }

    func auditEntries(
        matching filter: AuditFilter, before position: AuditPosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [AuditEntry] {
        try await reading.auditEntries(matching: filter, before: position, limit: limit)
    }

    func users(
        matching prefix: SearchText?, after position: ListPosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [PlacedRow<UserRecord>] {
        try await reading.users(matching: prefix, after: position, limit: limit)
    }

    func devices(
        matching filter: DeviceFilter, after position: ListPosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [PlacedRow<DeviceRecord>] {
        try await reading.devices(matching: filter, after: position, limit: limit)
    }

    func transactions(
        matching filter: TransactionFilter, before position: TimePosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [RecordedTransaction] {
        try await reading.transactions(matching: filter, before: position, limit: limit)
    }

    func waitingRemoteLogins(
        before position: TimePosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [RemoteLogin] {
        try await reading.waitingRemoteLogins(before: position, limit: limit)
    }

    func count(_ list: CountedList, limit: Int) async throws(RelyingPartyStoreError) -> Int {
        try await reading.count(list, limit: limit)
    }

    func countEvents() async throws(RelyingPartyStoreError) -> Bool { throw failure }

    func eventFigures() async throws(RelyingPartyStoreError) -> EventFigures { try await reading.eventFigures() }

    func foldNames() async throws(RelyingPartyStoreError) -> Bool { throw failure }

    func createTransaction(_ transaction: NewTransaction) async throws(RelyingPartyStoreError) -> TransactionCreation {
        throw failure
    }

    func transaction(_ id: TransactionID) async throws(RelyingPartyStoreError) -> RecordedTransaction? {
        try await reading.transaction(id)
    }

    func transactions(of user: UserID, endedLimit: Int) async throws(RelyingPartyStoreError) -> [RecordedTransaction] {
        try await reading.transactions(of: user, endedLimit: endedLimit)
    }

    func voidTransaction(
        _ id: TransactionID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> VoidingOutcome {
        throw failure
    }

    func decideTransaction(
        _ decision: NewDecision,
        consuming use: ChallengeUse
    ) async throws(RelyingPartyStoreError) -> DecisionOutcome { throw failure }

    func refreshFamily(_ id: RefreshFamilyID) async throws(RelyingPartyStoreError) -> LiveRefreshFamily? {
        try await reading.refreshFamily(id)
    }

    func revokeRefreshFamily(
        _ id: RefreshFamilyID,
        possessionKey: KeyID
    ) async throws(RelyingPartyStoreError) -> FamilyRevocationOutcome { throw failure }

    func signingKeys() async throws(RelyingPartyStoreError) -> [SealedSigningKey] { try await reading.signingKeys() }

    func addSigningKey(
        _ key: SealedSigningKey,
        after newest: KeyID?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> [SealedSigningKey] {
        try await reading.addSigningKey(key, after: newest, by: actor)
    }

    func removeSigningKeys(supersededBefore time: NumericDate) async throws(RelyingPartyStoreError) { throw failure }

    func limitSigningKeys(startBy time: NumericDate) async throws(RelyingPartyStoreError) { throw failure }

    func beginExport(
        of user: UserID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> UserRecord? { throw failure }

    func userData(
        _ kind: UserDataKind, of user: UserID, after place: [UInt8]?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [UserDataEntry] {
        try await reading.userData(kind, of: user, after: place, limit: limit)
    }

    func importUsers(
        _ users: [ImportedUser], mode: UserImportMode, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> [UserImportOutcome] {
        if mode.isWriting { throw failure }
        return try await reading.importUsers(users, mode: mode, by: actor)
    }

    func deleteUser(
        _ user: UserID, by actor: ActingParty, because reason: AuditReason
    ) async throws(RelyingPartyStoreError) -> UserDeletionOutcome { throw failure }

    func acceptRestore() async throws(RelyingPartyStoreError) -> RestoreEffects { throw failure }

    // A relying party that starts with this store reads its master key, and reports itself.
    func masterKeyState() async throws(RelyingPartyStoreError) -> MasterKeyState? {
        try await reading.masterKeyState()
    }

    func changeMasterKey(
        _ change: MasterKeyChange
    ) async throws(RelyingPartyStoreError) -> MasterKeyChangeOutcome { try await reading.changeMasterKey(change) }

    func report(_ process: RunningProcess) async throws(RelyingPartyStoreError) -> MasterKeyState? {
        try await reading.report(process)
    }

    func endProcess(_ id: RunningProcessID) async throws(RelyingPartyStoreError) { throw failure }

    func runningProcesses() async throws(RelyingPartyStoreError) -> [RunningProcess] {
        try await reading.runningProcesses()
    }

    func use(of key: MasterKeyID) async throws(RelyingPartyStoreError) -> MasterKeyUse {
        try await reading.use(of: key)
    }

    func replaceBox(
        _ box: [UInt8], of key: SealedSigningKey
    ) async throws(RelyingPartyStoreError) -> Bool { throw failure }

    func pinKeys(
        notUnder key: MasterKeyID, after last: DeviceID?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [StoredPinKeys] {
        try await reading.pinKeys(notUnder: key, after: last, limit: limit)
    }

    func replacePinKeys(_ replacements: [PinKeyReplacement]) async throws(RelyingPartyStoreError) { throw failure }

    func forgetSigningKeys() async throws(RelyingPartyStoreError) -> Int { throw failure }

    func setPassword(
        _ password: StoredPassword, of user: UserID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) { throw failure }

    func createAPIKey(
        _ key: NewAPIKey, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> APIKeyCreation { throw failure }

    func apiKey(_ id: APIKeyID) async throws(RelyingPartyStoreError) -> StoredAPIKey? {
        noteKeyRead()
        if failsReadingKeys { throw failure }
        return try await reading.apiKey(id)
    }

    func apiKeys() async throws(RelyingPartyStoreError) -> [APIKey] { try await reading.apiKeys() }

    func revokeAPIKey(_ id: APIKeyID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> APIKey? {
        throw failure
    }

    func operators() async throws(RelyingPartyStoreError) -> [Operator] { try await reading.operators() }

    func operatorRecord(of user: UserID) async throws(RelyingPartyStoreError) -> Operator? {
        try await reading.operatorRecord(of: user)
    }

    func changeOperator(
        _ change: OperatorChange, of user: UserID, keepingOwner keepsOwner: Bool, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> OperatorChangeOutcome { throw failure }

    func chargePasswordAttempt(of user: UserID) async throws(RelyingPartyStoreError) -> StoredPassword? {
        throw failure
    }

    func takeBackPasswordAttempt(
        _ password: StoredPassword, of user: UserID
    ) async throws(RelyingPartyStoreError) { throw failure }

    func acceptPassword(
        _ password: StoredPassword,
        raisedTo raised: StoredPassword?,
        of user: UserID
    ) async throws(RelyingPartyStoreError) -> Bool { throw failure }

    func journeyDevices(of user: UserID) async throws(RelyingPartyStoreError) -> [JourneyDevice] {
        try await reading.journeyDevices(of: user)
    }

    func journeyDevice(_ id: JourneyKeyID, of user: UserID) async throws(RelyingPartyStoreError) -> JourneyDevice? {
        try await reading.journeyDevice(id, of: user)
    }

    func isJourneyKeyTaken(
        _ key: KeyID,
        as id: JourneyKeyID,
        of user: UserID
    ) async throws(RelyingPartyStoreError) -> Bool {
        try await reading.isJourneyKeyTaken(key, as: id, of: user)
    }

    func journeyGeneration(of user: UserID) async throws(RelyingPartyStoreError) -> Int {
        try await reading.journeyGeneration(of: user)
    }

    func recordJourneyStep(_ step: JourneyStep) async throws(RelyingPartyStoreError) -> JourneyStepOutcome {
        throw failure
    }

    func journeySession(_ token: JourneySessionHash) async throws(RelyingPartyStoreError) -> JourneySession? {
        try await reading.journeySession(token)
    }

    func journeySessions(of user: UserID, limit: Int) async throws(RelyingPartyStoreError) -> [JourneySession] {
        try await reading.journeySessions(of: user, limit: limit)
    }

    func endJourneySessions(of user: UserID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> Int {
        throw failure
    }

    func endConsoleSession(_ id: ConsoleSessionID, expiresAt: NumericDate) async throws(RelyingPartyStoreError) {
        throw failure
    }

    func isConsoleSessionEnded(_ id: ConsoleSessionID) async throws(RelyingPartyStoreError) -> Bool {
        try await reading.isConsoleSessionEnded(id)
    }

    func endJourneySession(_ token: JourneySessionHash) async throws(RelyingPartyStoreError) { throw failure }

    func renameJourneyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        to name: DeviceName,
        by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> JourneyDevice? { throw failure }

    func removeJourneyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        by actor: ActingParty,
        keeping session: JourneySessionHash?
    ) async throws(RelyingPartyStoreError) -> JourneyDevice? { throw failure }

    func pinHardening(of device: DeviceID) async throws(RelyingPartyStoreError) -> PinHardening {
        try await reading.pinHardening(of: device)
    }

    func pinHardening(of device: DeviceID, naming key: KeyID) async throws(RelyingPartyStoreError) -> PinHardening? {
        try await reading.pinHardening(of: device, naming: key)
    }

    func recordPinStep(
        _ step: PinStep,
        of device: DeviceID,
        user: UserID
    ) async throws(RelyingPartyStoreError) -> PinStepOutcome { throw failure }

    func destroyDuePinKeys(guessLimit: Int) async throws(RelyingPartyStoreError) { throw failure }

    func purgeExpired(before times: PurgeTimes) async throws(RelyingPartyStoreError) { throw failure }

    func checkReadiness() async throws(RelyingPartyStoreError) { throw failure }

    func apps() async throws(RelyingPartyStoreError) -> [StoredApp] { try await reading.apps() }

    func putApp(
        _ app: App, replacing revision: Int?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> AppChangeOutcome {
        throw failure
    }

    func removeApp(_ id: ClientID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> Bool { throw failure }

    func recordAuthorizationCode(
        _ code: AuthorizationCode, as hash: AuthorizationCodeHash
    ) async throws(RelyingPartyStoreError) -> Bool {
        throw failure
    }

    func redeemAuthorizationCode(
        _ redemption: CodeRedemption
    ) async throws(RelyingPartyStoreError) -> CodeRedemptionOutcome {
        throw failure
    }

    func refreshAppGrant(_ refresh: GrantRefresh) async throws(RelyingPartyStoreError) -> GrantRefreshOutcome {
        throw failure
    }

    func appGrant(_ id: GrantID, of token: MessageID?) async throws(RelyingPartyStoreError) -> AppGrant? {
        try await reading.appGrant(id, of: token)
    }

    func revokeAppToken(
        _ token: MessageID, until end: NumericDate, of grant: GrantID
    ) async throws(RelyingPartyStoreError) {
        throw failure
    }

    func revokeAppGrant(_ id: GrantID, of client: ClientID) async throws(RelyingPartyStoreError) { throw failure }

    func openRemoteLogin(_ login: RemoteLogin) async throws(RelyingPartyStoreError) -> RemoteLoginOpening {
        throw failure
    }

    func remoteLogin(_ id: RemoteLoginID) async throws(RelyingPartyStoreError) -> RemoteLogin? {
        try await reading.remoteLogin(id)
    }

    func remoteLogins(of user: UserID, limit: Int) async throws(RelyingPartyStoreError) -> [RemoteLogin] {
        try await reading.remoteLogins(of: user, limit: limit)
    }

    func decideRemoteLogin(
        _ decision: NewRemoteLoginDecision, consuming use: ChallengeUse
    ) async throws(RelyingPartyStoreError) -> RemoteLoginDecisionOutcome {
        throw failure
    }

    func completeRemoteLogin(
        _ completion: RemoteLoginCompletion
    ) async throws(RelyingPartyStoreError) -> RemoteLoginCompletionOutcome {
        throw failure
    }
}
