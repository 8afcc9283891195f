public import NightlatchRelyingParty
import NightlatchWire

/// A store in memory, for tests and trials. Its contents are lost when the process ends.
public actor MemoryRelyingPartyStore: RelyingPartyStore {
    let clock: WallClock
    let observedClock: ObservedClock
    /// The time at which each user was created.
    var users: [UserID: NumericDate] = [:]
    var codes: [EnrolmentCodeMAC: Code] = [:]
    var devices: [DeviceID: DeviceRecord] = [:]
    var usedChallenges: [Challenge: UsedChallenge] = [:]
    var families: [DeviceID: (id: RefreshFamilyID, family: RefreshFamily)] = [:]
    var sealedSigningKeys: [SealedSigningKey] = []
    var transactions: [TransactionID: TransactionRecord] = [:]
    var passwords: [UserID: (password: StoredPassword, throttle: PasswordThrottle)] = [:]
    var profiles: [UserID: StoredProfile] = [:]
    var storedPolicies: [PolicySubject: StoredPolicy] = [:]
    var journeys = MemoryJourneys()
    var grants = MemoryGrants()
    /// The logins with their stored states. An expired login has no state of its own.
    var remoteLogins: [RemoteLoginID: RemoteLogin] = [:]
    /// The sessions that were ended, with the times at which they would have expired.
    var endedConsoleSessions: [ConsoleSessionID: NumericDate] = [:]
    var pinHardenings: [DeviceID: PinHardening] = [:]
    var masterKey: MasterKeyState?
    var processes: [RunningProcessID: RunningProcess] = [:]
    var registeredApps: [ClientID: StoredApp] = [:]
    var storedAPIKeys: [APIKeyID: StoredAPIKey] = [:]
    var hooks = MemoryWebhooks()
    var storedOperators: [UserID: Operator] = [:]
    let trail = AuditTrail()
    var auditLog: [AuditRow] = []
    var auditHead: AuditHead?
    /// The counts of `countEvents`, and the first minute that is not counted yet.
    var eventCounts: [EventCount] = []
    var countedMinute: Int?

    struct Code {
        let user: UserID
        var expiresAt: NumericDate
        var usedBy: (key: KeyID, device: DeviceID)?
    }

    struct UsedChallenge {
        let message: MessageHash
        let device: DeviceID
        let expiresAt: NumericDate
    }

    public init(clock: WallClock = .system) {
        self.clock = clock
        observedClock = ObservedClock(uptime: clock.uptime)
    }

    public func purgeExpired(before times: PurgeTimes) async throws(RelyingPartyStoreError) {
        if let brief = times.brief {
            let time = min(clock.now(), brief)
            usedChallenges = usedChallenges.filter { $0.value.expiresAt + ChallengeUse.retention >= time }
            journeys.purgeSteps(at: time)
            grants.purgeCodes(at: time)
        }
        if let limit = times.limit {
            if let life = limit.enrolmentCodeLife {
                let end = limit.end(of: life, now: clock.now())
                for (mac, code) in codes where code.expiresAt > end { codes[mac]?.expiresAt = end }
            }
            if let life = limit.journeySessionLife {
                journeys.cutSessions(to: limit.end(of: life, now: clock.now()))
            }
        }
        guard let lasting = times.lasting else { return }
        let now = min(clock.now(), lasting)
        codes = codes.filter { $0.value.expiresAt + StoreRetention.enrolmentCode >= now }
        transactions = transactions.filter { $0.value.details.expiresAt + StoreRetention.transaction >= now }
        remoteLogins = remoteLogins.filter { $0.value.details.expiresAt + StoreRetention.remoteLogin >= now }
        journeys.purge(at: now)
        grants.purge(at: now)
        endedConsoleSessions = endedConsoleSessions.filter { $0.value + ChallengeUse.retention >= now }
        hooks.purge(at: now)
    }

    public func checkReadiness() async throws(RelyingPartyStoreError) {}

    /// Creates a user for a backend or an operator, unless the user exists.
    func noteUser(_ user: UserID) {
        guard users[user] == nil else { return }
        users[user] = clock.now()
        journeys.generations[user] = UserRecord.newJourneyGeneration()
    }

    func note(_ use: ChallengeUse, device: DeviceID) {
        usedChallenges[use.challenge] = UsedChallenge(message: use.message, device: device, expiresAt: use.expiresAt)
    }
}
