package import NightlatchRelyingParty
package import NightlatchWire
import Testing

/// The rules about the grounds of journeys (how the client was identified) that every store keeps.
package enum JourneyGroundConformance {
    package static let requirements: [StoreRequirement] =
        [
            StoreRequirement(
                "A step whose ground is an ended session or a removed key binds nothing and begins no session"
            ) { store in
                let (alice, bob) = try await users(in: store)
                let device = try TestJourneys.device(of: alice)
                _ = try await store.recordJourneyStep(TestJourneys.binding(device))
                let (first, second) = (TestJourneys.session(of: alice), TestJourneys.session(of: alice))
                for session in [first, second] {
                    _ = try await store.recordJourneyStep(JourneyStep(use: TestJourneys.use(), session: session))
                }
                func outcome(_ user: UserID, _ evidence: JourneyGround.Evidence?) async throws -> JourneyStepOutcome {
                    let (outcome, leaves) = try await Act(on: ground(of: user, evidence, in: store)).outcome(in: store)
                    #expect(leaves == (outcome == .recorded))
                    return outcome
                }
                let all: [JourneyGround.Evidence?] = [
                    nil, .session(first.token), .session(second.token), .key(device.id),
                ]
                for evidence in all {
                    #expect(try await outcome(alice, evidence) == .recorded)
                    #expect(try await outcome(bob, evidence) == (evidence == nil ? .recorded : .groundGone))
                }
                try await store.endJourneySession(first.token)
                #expect(try await outcome(alice, .session(first.token)) == .groundGone)
                #expect(try await outcome(alice, .session(second.token)) == .recorded)
                _ = try await store.removeJourneyDevice(device.id, of: alice, by: .user, keeping: nil)
                #expect(try await outcome(alice, .key(device.id)) == .groundGone)
                try await TestTime.after(TestJourneys.life + .seconds(1)) {
                    let expired = try await outcome(alice, .session(second.token))
                    #expect(expired == .groundGone)
                }
            },

            StoreRequirement(
                "A new password, the end of all sessions and the removal of a key stop all of that user's running journeys"
            ) { store in
                let (alice, bob) = try await users(in: store)
                let device = try TestJourneys.device(of: alice)
                _ = try await store.recordJourneyStep(TestJourneys.binding(device))
                for stop in Stop.allCases {
                    let underWay = [
                        try await ground(of: alice, in: store), try await ground(of: alice, .key(device.id), in: store),
                    ]
                    let others = try await ground(of: bob, in: store)
                    try await stop.happen(to: alice, in: store)
                    for ground in underWay {
                        let act = try Act(on: ground)
                        #expect(try await act.outcome(in: store) == (.groundGone, false), "\(stop)")
                        // The question counts as answered, and its message as used.
                        #expect(try await store.recordJourneyStep(JourneyStep(use: act.step.use)) == .used)
                        let again = JourneyStep(use: TestJourneys.use(), messages: act.step.messages)
                        #expect(try await store.recordJourneyStep(again) == .messageUsed)
                    }
                    #expect(try await Act(on: others).outcome(in: store) == (.recorded, true))
                    let anew = try await ground(of: alice, in: store)
                    #expect(try await Act(on: anew).outcome(in: store) == (.recorded, true))
                }
            },

            StoreRequirement(
                """
                With a message that was used before, a stopped journey is still refused as stopped, and \
                its question is used up
                """
            ) { store in
                let (alice, _) = try await users(in: store)
                let before = try await ground(of: alice, in: store)
                let act = try Act(on: before)
                _ = try await store.recordJourneyStep(JourneyStep(use: TestJourneys.use(), messages: act.step.messages))
                try await Stop.endOfSessions.happen(to: alice, in: store)
                #expect(try await act.outcome(in: store) == (.groundGone, false))
                #expect(try await store.recordJourneyStep(JourneyStep(use: act.step.use)) == .used)
            },
        ] + Stop.allCases.map(race)

    private static func race(_ stop: Stop) -> StoreRequirement {
        StoreRequirement(
            "Of many journeys that finish while all sessions are ended, no session is left, and no step waits forever: \(stop)"
        ) { store in
            let (alice, _) = try await users(in: store)
            let before = try await ground(of: alice, in: store)
            let outcomes = try await withThrowingTaskGroup(of: JourneyStepOutcome?.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        guard number != 20 else {
                            try await stop.happen(to: alice, in: store)
                            return nil
                        }
                        let session = TestJourneys.session(of: alice)
                        return try await store.recordJourneyStep(
                            JourneyStep(use: TestJourneys.use(), ground: before, session: session))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.compactMap(\.self).allSatisfy { $0 == .recorded || $0 == .groundGone })
            // Removing or replacing a key ends the sessions that the key began, and stops the journeys of the other
            // sessions.
            let left = try await store.journeySessions(of: alice, limit: 100)
            #expect([.removalOfKey, .replacementOfKey].contains(stop) || left.isEmpty)
            #expect(try await store.recordJourneyStep(JourneyStep(use: nil, ground: before)) == .groundGone)
        }
    }

    /// An event that ends all grounds of alice's clients.
    package enum Stop: CaseIterable {
        case password, endOfSessions, removalOfKey, replacementOfKey

        package func happen(to user: UserID, in store: any RelyingPartyStore) async throws {
            switch self {
            case .password:
                let password = StoredPassword(
                    hash: .init(repeating: 1, count: 32), salt: .init(repeating: 1, count: 16), memoryKibibytes: 8,
                    passes: 1, lanes: 1)
                try await store.setPassword(password, of: user)
            case .endOfSessions: _ = try await store.endJourneySessions(of: user, by: .operator)
            case .removalOfKey:
                let device = try TestJourneys.device(Challenge.random().rawValue, of: user)
                _ = try await store.recordJourneyStep(TestJourneys.binding(device))
                _ = try await store.removeJourneyDevice(device.id, of: user, by: .backend, keeping: nil)
            case .replacementOfKey:
                let name = Challenge.random().rawValue
                for _ in 0..<2 {
                    _ = try await store.recordJourneyStep(
                        TestJourneys.binding(try TestJourneys.device(name, of: user)))
                }
            }
        }
    }

    /// A step that depends on a ground: a binding, a session and a message.
    private struct Act {
        let step: JourneyStep
        let device: JourneyDevice
        let session: NewJourneySession

        init(on ground: JourneyGround, use: JourneyStepUse? = TestJourneys.use()) throws {
            device = try TestJourneys.device(Challenge.random().rawValue, of: ground.user)
            session = TestJourneys.session(of: ground.user)
            let message = JourneyMessageUse(message: Fixture.hash(), expiresAt: TestTime.current + .seconds(90))
            step = JourneyStep(
                use: use, ground: ground, messages: [message],
                bindings: [JourneyBinding(device: device, limit: nil)], session: session)
        }

        /// Records the step. Returns its outcome, and whether it stored anything.
        func outcome(in store: any RelyingPartyStore) async throws -> (JourneyStepOutcome, leaves: Bool) {
            let outcome = try await store.recordJourneyStep(step)
            let isBound = try await store.journeyDevices(of: device.user).contains { $0.id == device.id }
            let lives = try await store.journeySession(session.token) != nil
            #expect(isBound == lives)
            return (outcome, isBound)
        }
    }

    private static func ground(
        of user: UserID,
        _ evidence: JourneyGround.Evidence? = nil,
        in store: any RelyingPartyStore
    ) async throws -> JourneyGround {
        JourneyGround(user: user, generation: try await store.journeyGeneration(of: user), evidence: evidence)
    }

    /// Creates the two users in the store.
    private static func users(in store: any RelyingPartyStore) async throws -> (alice: UserID, bob: UserID) {
        let users = (try Fixture.alice(), try Fixture.bob())
        for user in [users.0, users.1] { _ = try await store.newCode(for: user) }
        return users
    }
}
