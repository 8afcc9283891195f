public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func openRemoteLogin(_ login: RemoteLogin) async throws(RelyingPartyStoreError) -> RemoteLoginOpening {
        let now = clock.now()
        let known = remoteLogin(login.id, at: now)
        let outcome = login.opening(
            known: known, isUserKnown: users[login.user] != nil,
            requestCount: remoteLogins(of: login.user, at: now).count { $0.countsAsRequest(like: login, at: now) },
            now: now)
        switch outcome {
        case .opened(let new) where known == nil:
            remoteLogins[new.id] = new
            append(AuditEvent(opened: new))
        case .contested(let contested) where contested.state != known?.state:
            remoteLogins[contested.id]?.state = contested.state
            append(AuditEvent(contested: contested))
        case .opened, .contested, .userUnknown, .tooMany, .expired: break
        }
        return outcome
    }

    public func remoteLogin(_ id: RemoteLoginID) async throws(RelyingPartyStoreError) -> RemoteLogin? {
        remoteLogin(id, at: clock.now())
    }

    public func remoteLogins(
        of user: UserID, limit: Int
    ) async throws(RelyingPartyStoreError) -> [RemoteLogin] {
        let now = clock.now()
        return remoteLogins(of: user, at: now).filter { now <= $0.details.expiresAt }
            .sorted(by: RemoteLogin.areInOrderOfRequest).suffix(limit)
    }

    public func decideRemoteLogin(
        _ decision: NewRemoteLoginDecision, consuming use: ChallengeUse
    ) async throws(RelyingPartyStoreError) -> RemoteLoginDecisionOutcome {
        let now = clock.now()
        let device = devices[decision.device].flatMap { $0.user == decision.user ? $0 : nil }
        let known = remoteLogin(decision.login, at: now)
        let (outcome, isNew) = decision.outcome(
            on: known, isDeviceKnown: device != nil, stop: device?.stop, consuming: use,
            usedBy: usedChallenges[use.challenge]?.message, now: now)
        guard isNew, case .recorded(let state) = outcome, let known else { return outcome }
        remoteLogins[known.id]?.state = state
        remoteLogins[known.id]?.device = decision.device
        note(use, device: decision.device)
        append(AuditEvent(decision, on: known, state: state))
        return outcome
    }

    public func completeRemoteLogin(
        _ completion: RemoteLoginCompletion
    ) async throws(RelyingPartyStoreError) -> RemoteLoginCompletionOutcome {
        let now = clock.now()
        let known = remoteLogin(completion.login, at: now)
        let device = known?.device.flatMap { devices[$0] }
        let effects = completion.effects(
            on: known, isDeviceActive: device.map { $0.stop == nil } ?? false,
            isAppRegistered: known.map { registeredApps[$0.details.client] != nil } ?? false, now: now)
        guard let known, let effects else { return .refused }
        remoteLogins[known.id]?.state = .completed
        journeys.begin(effects.session, at: now)
        append(AuditEvent(completed: known))
        switch effects.access {
        case .code(let code, let hash): record(code, as: hash)
        case .grant(let grant):
            grants.grants[grant.id] = grant
            append(AuditEvent(.appTokensIssued, to: grant.authorization))
        case .none: break
        }
        return effects.outcome
    }

    private func remoteLogin(_ id: RemoteLoginID, at now: NumericDate) -> RemoteLogin? {
        remoteLogins[id].map { current($0, at: now) }
    }

    func remoteLogins(of user: UserID, at now: NumericDate) -> [RemoteLogin] {
        remoteLogins(at: now).filter { $0.user == user }
    }

    func remoteLogins(at now: NumericDate) -> [RemoteLogin] { remoteLogins.values.map { current($0, at: now) } }

    private func current(_ stored: RemoteLogin, at now: NumericDate) -> RemoteLogin {
        var login = stored
        login.state = RemoteLogin.state(stored.state, until: stored.details.expiresAt, at: now)
        return login
    }
}
