import NightlatchWire

/// The walk of one request through a journey.
///
/// The walk writes nothing; its effects are recorded afterwards in one transaction. If the store has changed so that
/// the effects cannot be recorded, the request is walked again. There is one exception: before a password is tested for
/// a client that is already identified, a separate transaction checks the client's identity again, and consumes the
/// right to answer. A client can therefore test only one password with each question, however often it answers.
///
/// A client that is identified neither before nor in this request causes only one kind of write: to the throttle of a
/// tested password. The store does not record its answer, because the client could begin again and get the same
/// question.
struct JourneyWalk: Sendable {
    let ceremony: JourneyCeremony
    let journey: JourneyTree
    /// The journey's state when the request arrived.
    let start: JourneyState
    let answers: CallbackAnswers?
    let request: JourneyCeremony.Request
    /// The right to answer; nil once it is consumed.
    var use: JourneyStepUse?
    private(set) var facts = JourneyFacts()
    /// Whether a key was looked up, but none of the user's keys signed the message.
    private var isUnsigned = false

    /// The largest number of walks of one request.
    private static var limit: Int { 4 }

    init(
        ceremony: JourneyCeremony,
        journey: JourneyTree,
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

    /// Walks the journey, records the effects, and returns the response.
    ///
    /// If no key of the user signed the message, ``RefusalPace`` delays the response.
    mutating func run() async throws(Refusal) -> JourneyAnswer {
        let start = ContinuousClock.now
        let answer = try await walk()
        if isUnsigned { await ceremony.pace.rest(since: start) }
        return answer
    }

    private mutating func walk() async throws(Refusal) -> JourneyAnswer {
        for _ in 0..<Self.limit {
            var passed: [JourneyTree.Passed] = []
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

    /// Walks until the client must be asked, a fact must be looked up, or the journey ends.
    private func advance(_ passed: inout [JourneyTree.Passed]) -> JourneyTree.Progress {
        let surroundings = JourneySurroundings(
            realm: ceremony.configuration.realm, languages: request.languages, now: ceremony.clock.now(),
            verifier: ceremony.verifier, makeChallenge: JourneyChallenge.make)
        passed = []
        return journey.advance(
            JourneyVisit(state: start, request: JourneyRequestState(), facts: facts, surroundings: surroundings),
            answers: answers, passed: &passed)
    }

    /// Looks up a fact that a node needs.
    ///
    /// - Returns: The reason why the request is refused before the lookup; nil if it is not refused.
    private mutating func find(_ question: JourneyQuestion) async throws(Refusal) -> JourneyRefusal? {
        let store = ceremony.store
        // The generation is read first, so that a later stop of the user's journeys also stops this journey.
        if let user = question.user, facts.generations[user] == nil {
            facts.generations[user] = try await answer { () async throws(RelyingPartyStoreError) in
                try await store.journeyGeneration(of: user)
            }
        }
        switch question {
        case .devices(let user):
            facts.devices[user] = try await answer { () async throws(RelyingPartyStoreError) in
                try await store.journeyDevices(of: user)
            }
        case .device(let id, let user):
            let found = try await answer { () async throws(RelyingPartyStoreError) in
                try await store.journeyDevice(id, of: user)
            }
            facts.namedDevices[question] = found.map { [$0] } ?? []
        case .isKeyTaken(let key, let id, let user):
            facts.takenKeys[question] = try await answer { () async throws(RelyingPartyStoreError) in
                try await store.isJourneyKeyTaken(key, as: id, of: user)
            }
        case .areRight(let credentials):
            // If no hashing slot is free, the question stays open: the client can answer it again later.
            let place = try ceremony.passwords.place(for: .client(request.customer))
            if let refusal = try await takeUse() { return refusal }
            do {
                try await ceremony.passwords.require(credentials, at: place)
                facts.passwords[credentials] = true
            } catch .credentialsRefused {
                facts.passwords[credentials] = false
            }
        case .isKnown(let user):
            facts.knownUsers[user] = try await answer { () async throws(RelyingPartyStoreError) in
                try await store.user(user) != nil
            }
        case .decision(let question):
            // The backend learns the user's name only while the client's identity holds.
            if let refusal = try await takeUse() { return refusal }
            let outcome = try await ceremony.backend?.outcome(
                of: question, realm: ceremony.configuration.realm, now: ceremony.clock.now())
            facts.decisions.updateValue(outcome, forKey: question)
        case .hash(let credentials):
            facts.hashes[credentials] = try await ceremony.passwords.hash(
                credentials.password, for: .client(request.customer))
        }
        return nil
    }

    /// Consumes an identified client's right to answer, unless this was done before.
    ///
    /// - Returns: The reason why the right or the client's identity no longer holds; nil if both still hold.
    private mutating func takeUse() async throws(Refusal) -> JourneyRefusal? {
        guard let use, start.user != nil else { return nil }
        let refusal = try await record(JourneyStep(use: use, ground: start.ground)).refusal
        if refusal == nil { self.use = nil }
        return refusal
    }

    private func record(_ step: JourneyStep) async throws(Refusal) -> JourneyStepOutcome {
        let store = ceremony.store
        return try await answer { () async throws(RelyingPartyStoreError) in try await store.recordJourneyStep(step) }
    }

    private func answered(_ result: JourneyAnswer.Result, _ passed: [JourneyTree.Passed]) -> JourneyAnswer {
        JourneyAnswer(result, journey: journey.name, passed: passed)
    }

    /// Returns a refusal that reports the passed nodes, so that a wrong password at one of them is counted even if
    /// this refusal has another reason.
    private func refused(_ refusal: JourneyRefusal, _ passed: [JourneyTree.Passed]) -> JourneyAnswer {
        answered(.refused(refusal), passed)
    }
}

extension JourneyStepOutcome {
    /// The reason why the request is refused; nil if the step was recorded, or the request must be walked again.
    fileprivate var refusal: JourneyRefusal? {
        switch self {
        case .used: .answeredBefore
        case .expired: .sessionExpired
        case .groundGone: .groundGone
        case .recorded, .messageUsed, .keyTaken, .tooManyDevices, .noSuchDevice, .userExists: nil
        }
    }
}
