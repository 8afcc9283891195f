import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about users that journeys create, which every store keeps.
package enum JourneyCreationConformance {
    package static let requirements: [StoreRequirement] =
        [
            StoreRequirement("A step creates a user with their password, and begins their session") { store in
                let alice = try Fixture.alice()
                let session = TestJourneys.session(of: alice)
                let creating = step(creating: alice, session: session)
                #expect(try await store.recordJourneyStep(creating) == .recorded)
                let record = try #require(try await store.user(alice))
                #expect(record.hasPassword && record.createdAt == TestTime.current)
                #expect(try await store.chargePasswordAttempt(of: alice) == password())
                #expect(try await store.journeySession(session.token)?.user == alice)
                // The journey continues under the generation with which it has created the user.
                let generation = try #require(creating.creation?.generation)
                #expect(try await store.journeyGeneration(of: alice) == generation)
                let ground = JourneyGround(user: alice, generation: generation)
                let next = JourneyStep(use: TestJourneys.use(), ground: ground)
                #expect(try await store.recordJourneyStep(next) == .recorded)
                let events = try await store.auditEntries(of: alice, before: nil, limit: 10).map(\.event)
                #expect(events.filter { $0.kind == .passwordSet }.map(\.actor) == [.user])
            },

            StoreRequirement("A user who exists, with or without a password, is not created again") { store in
                let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
                try await store.setPassword(password(), of: alice)
                _ = try await store.newCode(for: bob)
                for user in [alice, bob] {
                    let (use, session) = (TestJourneys.use(), TestJourneys.session(of: user))
                    let refused = step(creating: user, password(2), use: use, session: session)
                    #expect(try await store.recordJourneyStep(refused) == .userExists)
                    #expect(try await store.journeySession(session.token) == nil)
                    // The question is still open.
                    #expect(try await store.recordJourneyStep(JourneyStep(use: use)) == .recorded)
                }
                #expect(try await store.chargePasswordAttempt(of: alice) == password())
                #expect(try await store.user(bob)?.hasPassword == false)
            },

            StoreRequirement("A question that was answered before creates no user") { store in
                let (alice, use) = (try Fixture.alice(), TestJourneys.use())
                #expect(try await store.recordJourneyStep(JourneyStep(use: use)) == .recorded)
                #expect(try await store.recordJourneyStep(step(creating: alice, use: use)) == .used)
                #expect(try await store.user(alice) == nil)
            },
        ] + (0..<5).map(race)

    private static func race(_ round: Int) -> StoreRequirement {
        StoreRequirement("Of several steps that create the same user at the same time, one does: \(round)") { store in
            let alice = try Fixture.alice()
            let outcomes = try await inParallel(8) {
                try await store.recordJourneyStep(step(creating: alice))
            }
            #expect(outcomes.filter { $0 == .recorded }.count == 1)
            #expect(outcomes.filter { $0 == .userExists }.count == 7)
        }
    }

    private static func step(
        creating user: UserID,
        _ password: StoredPassword = password(),
        use: JourneyStepUse = TestJourneys.use(),
        session: NewJourneySession? = nil
    ) -> JourneyStep {
        var step = JourneyStep(use: use, session: session)
        step.creation = NewJourneyUser(user: user, password: password)
        return step
    }

    private static func password(_ byte: UInt8 = 1) -> StoredPassword {
        StoredPassword(
            hash: .init(repeating: byte, count: 32), salt: .init(repeating: byte, count: 16), memoryKibibytes: 8,
            passes: 1, lanes: 1)
    }
}
