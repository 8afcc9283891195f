internal import Nightlatch
internal import NightlatchWire

/// A running journey: its options, and the keys that it has used.
final class JourneyRun: Sendable {
    private let journey: Journey
    private let options: JourneyOptions
    private let used = Locked(UsedUserKeys())

    init(journey: Journey, options: JourneyOptions) {
        self.journey = journey
        self.options = options
    }

    /// Whether the server may have seen a key. If so, a refusal by the server can remove the key.
    var hasUsedKeys: Bool { used.withLock { $0 != UsedUserKeys() } }

    /// Sends a step back with its answers.
    func answer(_ authID: String, _ callbacks: [any StatefulCallback]) async -> any Node {
        let offered = Set(callbacks.compactMap { $0.state.offeredKey })
        var unsent: Set<KeyTag> = []
        if !offered.isEmpty, let keys = journey.deviceBinding?.keys {
            // Recorded before sending, because afterwards the server may have the keys.
            do {
                unsent = try await keys.offer(offered)
            } catch {
                return FailureNode(JourneyError(error))
            }
        }
        let signed = Set(callbacks.compactMap { $0.state.signedKey })
        let (before, after) = used.withLock { used in
            let before = used
            used.step(offering: offered, signedBy: signed)
            return (before, used)
        }
        let body = JSONObject([
            "authId": .string(authID), "callbacks": .array(callbacks.map { .object($0.state.json) }),
        ])
        let node = await send(.object(body), query: "noSession=\(options.noSession)&ForceAuth=\(options.forceAuth)")
        if (node as? FailureNode)?.leavesStepOpen == true {
            used.withLock { if $0 == after { $0 = before } }
            await withdraw(unsent)
        }
        return node
    }

    /// Records that the server has not seen these keys. If this fails, the keys sign for users without another key, and
    /// the server refuses them.
    private func withdraw(_ tags: Set<KeyTag>) async {
        guard !tags.isEmpty, let keys = journey.deviceBinding?.keys else { return }
        do {
            try await keys.withdraw(tags)
        } catch {
            journey.logger?.w("could not record that a key was not sent", error: error)
        }
    }

    func send(_ body: JSONValue?, query: String) async -> any Node {
        guard let server = journey.server else { return FailureNode(.notConfigured) }
        let token = await journey.sessionToken
        let answer: JourneyServer.Answer
        do {
            answer = try await server.send(
                "POST", "/authenticate?\(query)", version: "resource=2.1, protocol=1.0", body: body,
                session: token)
        } catch {
            journey.logger?.w("a step of the journey got no usable answer", error: error)
            return FailureNode(error)
        }
        if answer.status >= 300 {
            return ErrorNode(answer, unsettled: await settle(hasSucceeded: false))
        }
        if let authID = answer.body["authId"] {
            // Without an `authId` that is a string, the app cannot answer the step.
            guard let authID = authID.string else { return FailureNode(.unintelligible(status: answer.status)) }
            return next(authID, answer, server)
        }
        // A proxy may answer 200 too, so a success must have the server's form.
        guard JourneySession.isSuccess(answer.body) else { return FailureNode(.unintelligible(status: answer.status)) }
        let session = JourneySession(answer.body)
        if !session.value.isEmpty { await journey.keep(session, sent: token) }
        return SuccessNode(answer, session: session, unsettled: await settle(hasSucceeded: true))
    }

    private func next(_ authID: String, _ answer: JourneyServer.Answer, _ server: JourneyServer) -> any Node {
        let binding = CallbackBinding(
            environment: journey.deviceBinding, server: server.name, logger: journey.logger)
        var callbacks: [any StatefulCallback] = []
        guard let values = (answer.body["callbacks"] ?? .array([])).array else {
            return FailureNode(.unintelligible(status: answer.status))
        }
        for value in values {
            guard let object = value.object else { return FailureNode(.unintelligible(status: answer.status)) }
            callbacks.append(CallbackKinds.callback(object, binding: binding))
        }
        return ContinueNode(authID, callbacks, answer, run: self)
    }

    /// Records the result of the journey for its keys.
    ///
    /// - Returns: The reason why this failed, or nil.
    private func settle(hasSucceeded: Bool) async -> UserKeyError? {
        guard let keys = journey.deviceBinding?.keys else { return nil }
        do {
            try await keys.settle(used.withLock { $0 }, hasSucceeded: hasSucceeded)
            return nil
        } catch {
            journey.logger?.e("could not record the journey's result for its keys", error: error)
            return error
        }
    }
}
