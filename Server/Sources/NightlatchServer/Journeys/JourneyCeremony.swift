import NightlatchWire

/// Takes clients through journeys, one request after the other.
///
/// Each request is walked without writing anything, then recorded whole in one transaction. If the store has changed meanwhile, so
/// that what was walked cannot be recorded, it is walked anew.
struct JourneyCeremony<Store: RelyingPartyStore>: Sendable {
    let configuration: JourneyConfiguration
    let store: Store
    let sessions: AuthenticationSessions
    let passwords: PasswordCheck<Store>
    let verifier = JourneySigningVerifier()
    let clock: WallClock

    /// How often a request is walked.
    private static var walkLimit: Int { 4 }

    /// What a request asks for beside its answers.
    struct Request: Sendable {
        /// The journey to begin; nil for the default.
        var journey: String?
        var omitsSession = false
        /// Whether a session that holds is no reason to be done at once.
        var forcesAuthentication = false
        /// The session that the client has.
        var token: JourneyToken?
        var languages = AcceptedLanguages(nil)
    }

    /// Begins a journey. A client whose session came of the same journey is done at once, with that session, unless client or file want the
    /// journey walked.
    func begin(_ request: Request) async throws(Refusal) -> JourneyAnswer {
        guard let journey = configuration.journeys[request.journey ?? configuration.defaultJourney] else {
            return JourneyAnswer(.refused(.unknownJourney))
        }
        let session = try await session(of: request.token)
        if let session, let token = request.token, session.journey == journey.name,
            !request.forcesAuthentication, !journey.isAlwaysWalked
        {
            return JourneyAnswer(success(token: request.omitsSession ? nil : token), journey: journey.name)
        }
        let state = JourneyState(
            journey: journey.name, node: journey.start, user: session?.user,
            session: session == nil ? nil : request.token?.hash, username: session?.user.rawValue,
            signingKey: session?.key, omitsSession: request.omitsSession,
            expiresAt: clock.now() + AuthenticationSessions.life)
        return try await walk(journey, from: state, answers: nil, use: nil, request)
    }

    /// Goes on where an `authId` says, which is used up whatever comes of it.
    func goOn(
        _ authID: String,
        answers: CallbackAnswers,
        _ request: Request
    ) async throws(Refusal) -> JourneyAnswer {
        var state: JourneyState
        let use: JourneyStepUse
        do {
            (state, use) = try sessions.open(authID, now: clock.now())
        } catch {
            return JourneyAnswer(.refused(error))
        }
        guard let journey = configuration.journeys[state.journey] else {
            return JourneyAnswer(.refused(.unknownJourney))
        }
        state.omitsSession = state.omitsSession || request.omitsSession
        return try await walk(journey, from: state, answers: answers, use: use, request)
    }

    private func session(of token: JourneyToken?) async throws(Refusal) -> JourneySession? {
        guard let token else { return nil }
        return try await answer { () async throws(StoreError) in try await store.journeySession(token.hash) }
    }

    private func walk(
        _ journey: Journey,
        from state: JourneyState,
        answers: CallbackAnswers?,
        use: JourneyStepUse?,
        _ request: Request
    ) async throws(Refusal) -> JourneyAnswer {
        var facts = JourneyFacts()
        for _ in 0..<Self.walkLimit {
            var passed: [Journey.Passed] = []
            let progress = try await progress(
                journey, from: state, answers: answers, request, facts: &facts, passed: &passed)
            let (result, step) = outcome(of: progress, use: use)
            switch try await record(step) {
            case .recorded: return JourneyAnswer(result, journey: journey.name, passed: passed)
            case .used: return JourneyAnswer(.refused(.answeredBefore), journey: journey.name)
            case .expired: return JourneyAnswer(.refused(.sessionExpired), journey: journey.name)
            case .groundGone: return JourneyAnswer(.refused(.groundGone), journey: journey.name)
            case .messageUsed: facts.isMessageUsed = true
            case .keyTaken, .tooManyDevices, .noSuchDevice: facts.forgetStored()
            }
        }
        throw .overloaded
    }

    /// Walks, and finds out what nodes ask for, until there is nothing more to be asked.
    private func progress(
        _ journey: Journey,
        from state: JourneyState,
        answers: CallbackAnswers?,
        _ request: Request,
        facts: inout JourneyFacts,
        passed: inout [Journey.Passed]
    ) async throws(Refusal) -> Journey.Progress {
        while true {
            let surroundings = JourneySurroundings(
                realm: configuration.realm, languages: request.languages, now: clock.now(), verifier: verifier,
                makeChallenge: JourneyChallenge.make)
            let visit = JourneyVisit(
                state: state, request: JourneyRequestState(), facts: facts, surroundings: surroundings)
            passed = []
            let progress = journey.advance(visit, answers: answers, passed: &passed)
            guard case .need(let question) = progress else { return progress }
            try await find(question, into: &facts)
        }
    }

    private func find(_ question: JourneyQuestion, into facts: inout JourneyFacts) async throws(Refusal) {
        switch question {
        case .devices(let user):
            facts.devices[user] = try await answer { () async throws(StoreError) in
                try await store.journeyDevices(of: user)
            }
        case .device(let id, let user):
            let found = try await answer { () async throws(StoreError) in
                try await store.journeyDevice(id, of: user)
            }
            facts.namedDevices[question] = found.map { [$0] } ?? []
        case .isKeyTaken(let id, let key):
            facts.takenKeys[question] = try await answer { () async throws(StoreError) in
                try await store.isJourneyKeyTaken(id, key: key)
            }
        case .areRight(let credentials):
            do {
                _ = try await passwords.require(credentials)
                facts.passwords[credentials] = true
            } catch .credentialsRefused {
                facts.passwords[credentials] = false
            }
        }
    }

    /// What `visit` comes to. A key that has signed in this very request is asked for with its signature.
    private func step(_ visit: JourneyVisit, use: JourneyStepUse?, session: NewJourneySession? = nil) -> JourneyStep {
        var ground = visit.state.ground
        if case .key(let id, _) = ground, visit.request.signings.contains(where: { $0.key == id }) { ground = nil }
        return JourneyStep(
            use: use, ground: ground, messages: visit.request.messages, bindings: visit.request.bindings,
            signings: visit.request.signings, session: session)
    }

    /// What to answer, and what to record first.
    private func outcome(
        of progress: Journey.Progress,
        use: JourneyStepUse?
    ) -> (JourneyAnswer.Result, JourneyStep) {
        switch progress {
        case .asks(let callbacks, let page, let visit):
            do throws(JourneyRefusal) {
                let authID = try sessions.seal(visit.state, now: visit.surroundings.now)
                return (.asks(authID: authID, callbacks, page: page), step(visit, use: use))
            } catch {
                return (.refused(error), refusedStep(visit, use: use))
            }
        case .succeeded(let visit):
            guard let user = visit.state.user else { return (.refused(.noUser), refusedStep(visit, use: use)) }
            let token = visit.state.omitsSession ? nil : JourneyToken.random()
            let session = token.map {
                NewJourneySession(
                    token: $0.hash, user: user, journey: visit.state.journey, key: visit.state.signingKey,
                    signed: visit.state.signed, life: configuration.sessionLife)
            }
            return (success(token: token), step(visit, use: use, session: session))
        case .failed(let visit): return (.refused(nil), refusedStep(visit, use: use))
        case .need: return (.refused(nil), JourneyStep(use: use))
        }
    }

    /// Nothing of what the request did stands, but that it was answered, and by what.
    private func refusedStep(_ visit: JourneyVisit, use: JourneyStepUse?) -> JourneyStep {
        JourneyStep(use: use, messages: visit.request.messages)
    }

    private func success(token: JourneyToken?) -> JourneyAnswer.Result {
        .succeeded(token: token, successURL: configuration.successURL, realm: configuration.realm.path)
    }

    private func record(_ step: JourneyStep) async throws(Refusal) -> JourneyStepOutcome {
        // To begin a journey writes nothing, so nobody can fill the database by it.
        guard step != JourneyStep(use: nil, ground: step.ground) else { return .recorded }
        return try await answer { () async throws(StoreError) in try await store.recordJourneyStep(step) }
    }
}
