public import NightlatchRelyingParty
public import NightlatchWire

/// The journey state of a ``MemoryRelyingPartyStore``.
struct MemoryJourneys {
    /// The keys of each user, by name.
    var devices: [UserID: [JourneyKeyID: JourneyDevice]] = [:]
    var usedSteps: [Challenge: NumericDate] = [:]
    var usedMessages: [MessageHash: NumericDate] = [:]
    var sessions: [JourneySessionHash: JourneySession] = [:]
    /// The generation of each user.
    var generations: [UserID: Int] = [:]

    mutating func purgeSteps(at now: NumericDate) {
        usedSteps = usedSteps.filter { $0.value + ChallengeUse.retention >= now }
    }

    mutating func purge(at now: NumericDate) {
        usedMessages = usedMessages.filter { $0.value + ChallengeUse.retention >= now }
        sessions = sessions.filter { $0.value.expiresAt >= now }
    }

    mutating func cutSessions(to end: NumericDate) {
        for (token, session) in sessions where session.expiresAt > end { sessions[token]?.expiresAt = end }
    }

    func devices(of user: UserID) -> [JourneyDevice] {
        devices[user, default: [:]].values.sorted(by: JourneyDevice.areInOrderOfBinding)
    }

    func isTaken(_ key: KeyID, as id: JourneyKeyID, of user: UserID) -> Bool {
        devices.values.flatMap(\.values).contains { $0.key.thumbprint == key && ($0.user, $0.id) != (user, id) }
    }

    /// Deletes a key, ends its sessions except `session`, and stops its user's journeys.
    mutating func forget(_ id: JourneyKeyID, of user: UserID, keeping session: JourneySessionHash?) -> JourneyDevice? {
        guard let device = devices[user]?.removeValue(forKey: id) else { return nil }
        generations[user, default: 0] += 1
        endSessions(by: id, of: user, keeping: session)
        return device
    }

    /// Ends the sessions in which `key` signed last, except `session`.
    mutating func endSessions(by key: JourneyKeyID, of user: UserID, keeping session: JourneySessionHash?) {
        sessions = sessions.filter { $0.key == session || $0.value.user != user || $0.value.key != key }
    }

    mutating func begin(_ session: NewJourneySession, at now: NumericDate) {
        sessions[session.token] = JourneySession(
            user: session.user, journey: session.journey, key: session.key, signed: session.signed, beganAt: now,
            expiresAt: now + session.life)
    }

    private func holds(_ ground: JourneyGround, now: NumericDate) -> Bool {
        guard ground.generation == generations[ground.user, default: 0] else { return false }
        return switch ground.evidence {
        case .session(let token): sessions[token].map { $0.user == ground.user && now <= $0.expiresAt } ?? false
        case .key(let id): devices[ground.user]?[id] != nil
        case nil: true
        }
    }

    /// Applies the effects of `step` to a copy, which is discarded unless all of them succeed.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - now: The time.
    ///   - replaced: Receives the keys that the step's bindings replaced.
    mutating func record(
        _ step: JourneyStep,
        now: NumericDate,
        replaced: inout [JourneyDevice]
    ) -> JourneyStepOutcome {
        if let use = step.use {
            guard now <= use.expiresAt else { return .expired }
            guard usedSteps.updateValue(use.expiresAt, forKey: use.oneTimeKey) == nil else { return .used }
        }
        if let ground = step.ground, !holds(ground, now: now) {
            for use in step.messages where usedMessages[use.message] == nil {
                usedMessages[use.message] = use.expiresAt
            }
            return .groundGone
        }
        for use in step.messages {
            guard usedMessages.updateValue(use.expiresAt, forKey: use.message) == nil else { return .messageUsed }
        }
        // The access times are updated before the bindings, which may replace a key that has signed.
        for signing in step.signings {
            guard devices[signing.user]?[signing.key] != nil else { return .noSuchDevice }
            devices[signing.user]?[signing.key]?.lastAccessAt = now
        }
        guard !step.bindsTwice else { return .keyTaken }
        for binding in step.bindings {
            let device = binding.device
            guard !isTaken(device.key.thumbprint, as: device.id, of: device.user) else { return .keyTaken }
            if let old = forget(device.id, of: device.user, keeping: step.keptSession) { replaced.append(old) }
            if let limit = binding.limit, devices(of: device.user).count >= limit { return .tooManyDevices }
            devices[device.user, default: [:]][device.id] = device
        }
        if let session = step.session { begin(session, at: now) }
        return .recorded
    }
}

extension MemoryRelyingPartyStore {
    public func journeyDevices(of user: UserID) async throws(RelyingPartyStoreError) -> [JourneyDevice] {
        journeys.devices(of: user)
    }

    public func journeyDevice(
        _ id: JourneyKeyID, of user: UserID
    ) async throws(RelyingPartyStoreError) -> JourneyDevice? {
        journeys.devices[user]?[id]
    }

    public func isJourneyKeyTaken(
        _ key: KeyID,
        as id: JourneyKeyID,
        of user: UserID
    ) async throws(RelyingPartyStoreError) -> Bool {
        journeys.isTaken(key, as: id, of: user)
    }

    public func journeyGeneration(of user: UserID) async throws(RelyingPartyStoreError) -> Int {
        journeys.generations[user, default: 0]
    }

    public func recordJourneyStep(_ step: JourneyStep) async throws(RelyingPartyStoreError) -> JourneyStepOutcome {
        var changed = journeys
        var replaced: [JourneyDevice] = []
        var outcome = changed.record(step, now: clock.now(), replaced: &replaced)
        if let creation = step.creation, outcome == .recorded, users[creation.user] != nil { outcome = .userExists }
        if outcome == .recorded || outcome == .groundGone { journeys = changed }
        guard outcome == .recorded else { return outcome }
        if let creation = step.creation {
            users[creation.user] = clock.now()
            journeys.generations[creation.user] = creation.generation
            passwords[creation.user] = (creation.password, PasswordThrottle())
            profiles[creation.user] = creation.storedProfile(at: clock.now())
        }
        for device in replaced { endGrants(by: device.id, of: device.user, keeping: step.keptSession) }
        for event in step.auditEvents(replacing: replaced) { append(event) }
        return outcome
    }

    public func journeySession(_ token: JourneySessionHash) async throws(RelyingPartyStoreError) -> JourneySession? {
        journeys.sessions[token].flatMap { clock.now() <= $0.expiresAt ? $0 : nil }
    }

    public func journeySessions(of user: UserID, limit: Int) async throws(RelyingPartyStoreError) -> [JourneySession] {
        let now = clock.now()
        let alive = journeys.sessions.values.filter { $0.user == user && now <= $0.expiresAt }
        return Array(alive.sorted { $0.beganAt > $1.beganAt }.prefix(limit))
    }

    public func endJourneySession(_ token: JourneySessionHash) async throws(RelyingPartyStoreError) {
        // Also after the session has expired: a user may sign off long after.
        grants.end { $0.session == token && !$0.outlivesSession }
        guard let session = journeys.sessions.removeValue(forKey: token), clock.now() <= session.expiresAt else {
            return
        }
        append(AuditEvent(signedOff: session))
    }

    public func endJourneySessions(
        of user: UserID,
        by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> Int {
        endSessions(of: user, by: actor)
    }

    func endSessions(of user: UserID, by actor: ActingParty) -> Int {
        let now = clock.now()
        journeys.generations[user, default: 0] += 1
        let ended = journeys.sessions.filter { $0.value.user == user && now <= $0.value.expiresAt }
        for token in ended.keys { journeys.sessions[token] = nil }
        grants.end { $0.user == user }
        if !ended.isEmpty { append(AuditEvent(.journeySessionsEnded, by: actor, user: user, count: ended.count)) }
        return ended.count
    }

    public func renameJourneyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        to name: DeviceName,
        by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> JourneyDevice? {
        guard var device = journeys.devices[user]?[id] else { return nil }
        guard device.name != name else { return device }
        device.name = name
        journeys.devices[user]?[id] = device
        append(AuditEvent(renamed: device, by: actor))
        return device
    }

    public func removeJourneyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        by actor: ActingParty,
        keeping session: JourneySessionHash?
    ) async throws(RelyingPartyStoreError) -> JourneyDevice? {
        guard let device = journeys.forget(id, of: user, keeping: session) else { return nil }
        endGrants(by: id, of: user, keeping: session)
        append(AuditEvent(removed: device, by: actor))
        return device
    }

    /// Ends the sessions in which `key` signed last, and their grants, except those of `session`.
    func endSessions(by key: JourneyKeyID, of user: UserID, keeping session: JourneySessionHash?) {
        journeys.endSessions(by: key, of: user, keeping: session)
        endGrants(by: key, of: user, keeping: session)
    }

    /// Ends the grants from journeys in which `key` signed last, except those of `session`.
    private func endGrants(by key: JourneyKeyID, of user: UserID, keeping session: JourneySessionHash?) {
        grants.end { $0.user == user && $0.key == key && $0.session != session }
    }
}
