import NightlatchWire

/// Guides clients through journeys, one request at a time: see ``JourneyWalk``.
package struct JourneyCeremony: Sendable {
    let configuration: JourneyConfiguration
    let store: any RelyingPartyStore
    let sessions: AuthenticationSessions
    let passwords: PasswordCheck
    /// Asks the app's backend. If nil, each question to it has the outcome `error`.
    package var backend: BackendDecisions?
    let verifier = JourneySigningVerifier()
    let pace: RefusalPace
    let clock: WallClock

    package init(
        configuration: JourneyConfiguration,
        store: any RelyingPartyStore,
        sessions: AuthenticationSessions,
        passwords: PasswordCheck,
        pace: RefusalPace,
        clock: WallClock
    ) {
        self.configuration = configuration
        self.store = store
        self.sessions = sessions
        self.passwords = passwords
        self.pace = pace
        self.clock = clock
    }

    /// The parameters of a request besides its answers.
    package struct Request: Sendable {
        /// The journey to begin; nil for the default.
        let journey: String?
        let omitsSession: Bool
        /// Whether the journey is walked even if the client has a valid session.
        let forcesAuthentication: Bool
        /// The token of the client's session.
        let token: JourneyToken?
        let languages: AcceptedLanguages
        /// The address under which rate limits count the client's requests; nil if the client did not connect over a
        /// network.
        package var customer: IPAddress?

        package init(
            journey: String?,
            omitsSession: Bool,
            forcesAuthentication: Bool,
            token: JourneyToken?,
            languages: AcceptedLanguages
        ) {
            self.journey = journey
            self.omitsSession = omitsSession
            self.forcesAuthentication = forcesAuthentication
            self.token = token
            self.languages = languages
        }
    }

    /// Begins a journey.
    ///
    /// A client whose session came from the same journey succeeds at once with that session, unless the client or the
    /// journey file requires a new walk.
    package func begin(_ request: Request) async throws(Refusal) -> JourneyAnswer {
        guard let journey = configuration.journey(request.journey ?? configuration.defaultJourney) else {
            return JourneyAnswer(.refused(.unknownJourney))
        }
        let session = try await session(of: request.token)
        if let session, let token = request.token, session.journey == journey.name,
            !request.forcesAuthentication, !journey.isAlwaysWalked
        {
            return JourneyAnswer(success(token: request.omitsSession ? nil : token), journey: journey.name)
        }
        var generation: Int?
        if let session {
            generation = try await answer { () async throws(RelyingPartyStoreError) in
                try await store.journeyGeneration(of: session.user)
            }
        }
        let state = JourneyState(
            journey: journey.name, node: journey.start, user: session?.user, generation: generation,
            session: session == nil ? nil : request.token?.hash, username: session?.user.rawValue,
            signingKey: session?.key, omitsSession: request.omitsSession,
            expiresAt: clock.now() + AuthenticationSessions.life)
        var walk = JourneyWalk(ceremony: self, journey: journey, start: state, answers: nil, request: request, use: nil)
        return try await walk.run()
    }

    /// Continues the journey of an `authId`.
    ///
    /// The answer consumes the `authId` in two cases: the client is identified, before or by this answer; or the answer
    /// contains a signature by a bound key.
    package func goOn(
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
        var walk = JourneyWalk(
            ceremony: self, journey: journey, start: state, answers: answers, request: request, use: use)
        return try await walk.run()
    }

    private func session(of token: JourneyToken?) async throws(Refusal) -> JourneySession? {
        guard let token else { return nil }
        let found = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.journeySession(token.hash)
        }
        return found.flatMap { $0.isOfJourney ? $0 : nil }
    }

    /// The response of a successful journey.
    func success(token: JourneyToken?) -> JourneyAnswer.Result {
        .succeeded(token: token, successURL: configuration.successURL, realm: configuration.realm.path)
    }
}
