import NightlatchWire

/// One request's way through a journey.
///
/// It is walked without writing anything, then recorded whole in one transaction. If the store has changed meanwhile, so that what was
/// walked cannot be recorded, it is walked anew. Only before a password is tried for a client that is known already the right to answer is
/// used up by itself, if what the client is known by holds still: so its question tries one password, however often it is answered.
///
/// Who has shown nothing before and shows nothing now makes the store write nothing (but the throttle of a password that is tried): what
/// such a client was asked it could be asked anew by beginning anew, so its answer is worth no row.
struct JourneyWalk: Sendable {
    let ceremony: JourneyCeremony
    let journey: Journey
    /// What the journey knew when the request came.
    let start: JourneyState
    let answers: CallbackAnswers?
    let request: JourneyCeremony.Request
    /// The right to answer, until it is used up.
    var use: JourneyStepUse?
    private(set) var facts = JourneyFacts()
    /// Whether a key was looked for, and none of the user's has signed.
    private var isUnsigned = false

    /// How often a request is walked.
    private static var limit: Int { 4 }

    init(
        ceremony: JourneyCeremony,
        journey: Journey,
        start: JourneyState,
        answers: CallbackAnswers?,
        request: JourneyCeremony.Request,
        use: JourneyStepUse?
    ) {
        self.ceremony = ceremony
        self.journey = journey
        self.start = start
        self.answers = answers
        self.request = request
        self.use = use
    }

    /// Walks, records, and says what to answer. The answer to a message that no key of the user has signed keeps its
    /// pace.
    mutating func run() async throws(Refusal) -> JourneyAnswer {
        let start = ContinuousClock.now
        let answer = try await walk()
        if isUnsigned { await ceremony.pace.rest(since: start) }
        return answer
    }

    private mutating func walk() async throws(Refusal) -> JourneyAnswer {
        for _ in 0..<Self.limit {
            var passed: [Journey.Passed] = []
            var progress = advance(&passed)
            while case .need(let question) = progress {
                if let refusal = try await find(question) { return refused(refusal, passed) }
                progress = advance(&passed)
            }
            isUnsigned = !facts.namedDevices.isEmpty && progress.visit?.request.isSigned != true
            let (result, step) = outcome(of: progress)
            guard let step else { return answered(result, passed) }
            let outcome = try await record(step)
            if let refusal = outcome.refusal { return refused(refusal, passed) }
            switch outcome {
            case .recorded: return answered(result, passed)
            case .messageUsed: facts.isMessageUsed = true
            default: facts.forgetStored()
            }
        }
        throw .overloaded
    }

    /// Walks until something is to be asked or found out, or all is over.
    private func advance(_ passed: inout [Journey.Passed]) -> Journey.Progress {
        let surroundings = JourneySurroundings(
            realm: ceremony.configuration.realm, languages: request.languages, now: ceremony.clock.now(),
            verifier: ceremony.verifier, makeChallenge: JourneyChallenge.make)
        passed = []
        return journey.advance(
            JourneyVisit(state: start, request: JourneyRequestState(), facts: facts, surroundings: surroundings),
            answers: answers, passed: &passed)
    }

    /// Finds out what a node asks for.
    ///
    /// - Returns: Why the request is refused before that, if it is.
    private mutating func find(_ question: JourneyQuestion) async throws(Refusal) -> JourneyRefusal? {
        let store = ceremony.store
        // Before all else: who is known by what follows was not stopped since.
        if let user = question.user, facts.generations[user] == nil {
            facts.generations[user] = try await answer { () async throws(StoreError) in
                try await store.journeyGeneration(of: user)
            }
        }
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
        case .isKeyTaken(let key, let id, let user):
            facts.takenKeys[question] = try await answer { () async throws(StoreError) in
                try await store.isJourneyKeyTaken(key, as: id, of: user)
            }
        case .areRight(let credentials):
            // Where it cannot be tried now, the question stays open: it can be answered again when there is a place.
            let place = try ceremony.passwords.place(for: .client(request.customer))
            if let refusal = try await takeUse() { return refusal }
            do {
                try await ceremony.passwords.require(credentials, at: place)
                facts.passwords[credentials] = true
            } catch .credentialsRefused {
                facts.passwords[credentials] = false
            }
        }
        return nil
    }

    /// Uses up the right of a known client to answer, if that was not done yet.
    ///
    /// - Returns: Why it is none any more, or what the client was known by is.
    private mutating func takeUse() async throws(Refusal) -> JourneyRefusal? {
        guard let use, start.user != nil else { return nil }
        let refusal = try await record(JourneyStep(use: use, ground: start.ground)).refusal
        if refusal == nil { self.use = nil }
        return refusal
    }

    private func record(_ step: JourneyStep) async throws(Refusal) -> JourneyStepOutcome {
        let store = ceremony.store
        return try await answer { () async throws(StoreError) in try await store.recordJourneyStep(step) }
    }

    private func answered(_ result: JourneyAnswer.Result, _ passed: [Journey.Passed]) -> JourneyAnswer {
        JourneyAnswer(result, journey: journey.name, passed: passed)
    }

    /// With what was passed, whatever came of it: a wrong password counts also where its answer does not.
    private func refused(_ refusal: JourneyRefusal, _ passed: [Journey.Passed]) -> JourneyAnswer {
        answered(.refused(refusal), passed)
    }
}

extension JourneyStepOutcome {
    /// Why the request is refused; nil if it was recorded, or is to be walked anew.
    fileprivate var refusal: JourneyRefusal? {
        switch self {
        case .used: .answeredBefore
        case .expired: .sessionExpired
        case .groundGone: .groundGone
        case .recorded, .messageUsed, .keyTaken, .tooManyDevices, .noSuchDevice: nil
        }
    }
}
