import NightlatchWire

extension JourneyWalk {
    /// What to answer, and what to record first, if anything.
    func outcome(of progress: Journey.Progress) -> (JourneyAnswer.Result, JourneyStep?) {
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

    /// `state`, with the generation that the client was known in, if it came to be known in this request.
    ///
    /// - Throws: ``JourneyRefusal`` `groundGone` if there is none: then nothing could stop the journey.
    private func known(_ state: JourneyState) throws(JourneyRefusal) -> JourneyState {
        guard let user = state.user, state.generation == nil else { return state }
        guard start.user == nil || start.generation != nil, let generation = facts.generations[user] else {
            throw .groundGone
        }
        var state = state
        state.generation = generation
        return state
    }

    /// `state` as it holds once the step is recorded. Each key that a binding replaces stops the user's journeys; this one goes on.
    private func afterReplacements(_ state: JourneyState, _ visit: JourneyVisit) -> JourneyState {
        let replacementCount = visit.request.bindings.count { binding in
            binding.device.user == state.user
                && visit.facts.devices[binding.device.user]?.contains { $0.id == binding.device.id } == true
        }
        var state = state
        state.generation = state.generation.map { $0 + replacementCount }
        return state
    }

    /// What a visit comes to. A key that has signed in this very request is asked for with its signature.
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
        // Where nothing is done yet, the next request asks what the client is known by.
        let isIdle = use == nil && request == JourneyRequestState(password: request.password)
        return recorded(
            JourneyStep(
                use: use, ground: isIdle && !isLast ? nil : ground, messages: request.messages,
                bindings: request.bindings, signings: request.signings, session: session), visit)
    }

    /// Nothing of what the request did stands, but that somebody who is known has answered, and by what.
    private func refusedStep(_ visit: JourneyVisit) -> JourneyStep? {
        recorded(JourneyStep(use: use, messages: visit.request.messages), visit)
    }

    /// `step`; nil if it does nothing, and uses up no question of somebody who was known or has shown anything.
    private func recorded(_ step: JourneyStep, _ visit: JourneyVisit) -> JourneyStep? {
        let isStranger = start.user == nil && visit.state.user == nil && !visit.request.isSigned
        return step == JourneyStep(use: isStranger ? step.use : nil) ? nil : step
    }
}
