import NightlatchWire

extension JourneyWalk {
    /// The response, and the step to record first, if any.
    func outcome(of progress: JourneyTree.Progress) -> (JourneyAnswer.Result, JourneyStep?) {
        switch progress {
        case .asks(let callbacks, let page, let visit):
            do throws(JourneyRefusal) {
                let state = try known(visit.state)
                let authID = try ceremony.sessions.seal(afterReplacements(state, visit), now: visit.surroundings.now)
                return (.asks(authID: authID, callbacks, page: page), step(visit, state))
            } catch {
                return (.refused(error), refusedStep(visit))
            }
        case .succeeded(let visit):
            do throws(JourneyRefusal) {
                let state = try known(visit.state)
                guard let user = state.user else { throw .noUser }
                let token = state.omitsSession ? nil : JourneyToken.random()
                let session = token.map {
                    NewJourneySession(
                        token: $0.hash, user: user, journey: state.journey, key: state.signingKey,
                        signed: state.signed, life: ceremony.configuration.sessionLife)
                }
                return (ceremony.success(token: token), step(visit, state, session: session, isLast: true))
            } catch {
                return (.refused(error), refusedStep(visit))
            }
        case .failed(let visit): return (.refused(nil), refusedStep(visit))
        case .need: return (.refused(nil), nil)
        }
    }

    /// Returns `state`, with the generation of the user's journeys if the client was identified in this request.
    ///
    /// - Throws: ``JourneyRefusal`` `groundGone` if no generation was read: without it, the store could not stop the
    ///   journey.
    private func known(_ state: JourneyState) throws(JourneyRefusal) -> JourneyState {
        guard let user = state.user, state.generation == nil else { return state }
        guard start.user == nil || start.generation != nil, let generation = facts.generations[user] else {
            throw .groundGone
        }
        var state = state
        state.generation = generation
        return state
    }

    /// Returns `state` with the generation that holds once the step is recorded.
    ///
    /// Each key that a binding replaces increments the user's generation, which stops the user's other journeys. This
    /// journey continues, because its state contains the new generation.
    private func afterReplacements(_ state: JourneyState, _ visit: JourneyVisit) -> JourneyState {
        let replacementCount = visit.request.bindings.count { binding in
            binding.device.user == state.user
                && visit.facts.devices[binding.device.user]?.contains { $0.id == binding.device.id } == true
        }
        var state = state
        state.generation = state.generation.map { $0 + replacementCount }
        return state
    }

    /// The step that records a visit.
    ///
    /// If a key signed in this request, the step does not check separately that the key is bound: recording the
    /// signature checks it.
    private func step(
        _ visit: JourneyVisit,
        _ state: JourneyState,
        session: NewJourneySession? = nil,
        isLast: Bool = false
    ) -> JourneyStep? {
        let request = visit.request
        var ground = state.ground
        if case .key(let id)? = ground?.evidence, request.signings.contains(where: { $0.key == id }) {
            ground = ground.map { JourneyGround(user: $0.user, generation: $0.generation) }
        }
        // Before the step there is no such user. The step is recorded only if it creates the user.
        if request.creation?.user == ground?.user { ground = nil }
        // A request without effects does not check the client's identity; the next request does.
        let isIdle = use == nil && request == JourneyRequestState(password: request.password)
        var step = JourneyStep(
            use: use, ground: isIdle && !isLast ? nil : ground, messages: request.messages,
            bindings: request.bindings, signings: request.signings, session: session)
        step.creation = request.creation
        return recorded(step, visit)
    }

    /// A step that only consumes the question and the messages of an identified client.
    private func refusedStep(_ visit: JourneyVisit) -> JourneyStep? {
        recorded(JourneyStep(use: use, messages: visit.request.messages), visit)
    }

    /// Returns `step`; nil if it would have no effect. Consuming the question counts as no effect if the client is not
    /// identified and has signed nothing.
    private func recorded(_ step: JourneyStep, _ visit: JourneyVisit) -> JourneyStep? {
        let isStranger = start.user == nil && visit.state.user == nil && !visit.request.isSigned
        return step == JourneyStep(use: isStranger ? step.use : nil) ? nil : step
    }
}
