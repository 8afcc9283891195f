import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about journey sessions that every store keeps.
package enum JourneySessionConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement(
            "All sessions of one user are listed and ended at once, and no other user's; repeating it changes nothing"
        ) { store in
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            for user in [alice, bob] { _ = try await store.newCode(for: user) }
            let device = try TestJourneys.device(of: alice)
            _ = try await store.recordJourneyStep(TestJourneys.binding(device))
            let (first, second) = (TestJourneys.session(of: alice), TestJourneys.session(of: alice, by: device.id))
            let bobs = TestJourneys.session(of: bob)
            try await begin(first, in: store)
            try await begin(bobs, in: store)
            try await TestTime.after(.seconds(5)) { try await begin(second, in: store) }
            let listed = try await TestTime.after(.seconds(5)) {
                try await store.journeySessions(of: alice, limit: 10)
            }
            #expect(listed.map(\.key) == [device.id, nil] && listed.allSatisfy { $0.user == alice })
            #expect(try await store.journeySessions(of: alice, limit: 1).map(\.key) == [device.id])
            try await TestTime.after(TestJourneys.life + .seconds(1)) {
                // The first session has expired.
                let alive = try await store.journeySessions(of: alice, limit: 10)
                #expect(alive.map(\.key) == [device.id])
                let count = try await store.endJourneySessions(of: alice, by: .operator)
                #expect(count == 1)
                let again = try await store.endJourneySessions(of: alice, by: .operator)
                #expect(again == 0)
            }
            #expect(try await store.journeySession(second.token) == nil)
            #expect(try await store.journeySession(bobs.token) != nil)
            let ended = try await events(.journeySessionsEnded, of: alice, in: store)
            #expect(ended == [AuditEvent(.journeySessionsEnded, by: .operator, user: alice, count: 1)])
        },

        StoreRequirement("No purge removes a session before its end") { store in
            let alice = try Fixture.alice()
            _ = try await store.newCode(for: alice)
            let session = TestJourneys.session(of: alice)
            try await begin(session, in: store)
            try await TestTime.after(TestJourneys.life - .seconds(1)) {
                try await store.purgeExpired()
                let alive = try await store.journeySession(session.token)
                #expect(alive?.user == alice)
            }
        },

        StoreRequirement("A session that is signed off is recorded once, with its key") { store in
            let alice = try Fixture.alice()
            _ = try await store.newCode(for: alice)
            let device = try TestJourneys.device(of: alice)
            _ = try await store.recordJourneyStep(TestJourneys.binding(device))
            let session = TestJourneys.session(of: alice, by: device.id)
            try await begin(session, in: store)
            for _ in 0..<2 { try await store.endJourneySession(session.token) }
            try await store.endJourneySession(Fixture.hash())
            let ended = try await events(.journeyLoggedOut, of: alice, in: store)
            #expect(ended.count == 1 && ended.first?.journeyKey == device.id && ended.first?.actor == .user)
        },

        StoreRequirement("Setting a password ends its user's sessions only, and leaves devices logged in") { store in
            let (alice, bob, phone) = (try Fixture.alice(), try Fixture.bob(), TestDevice())
            let id = try await store.bind(phone, to: alice)
            let token = try await store.logIn(phone, id: id, user: alice)
            _ = try await store.newCode(for: bob)
            let (own, bobs) = (TestJourneys.session(of: alice), TestJourneys.session(of: bob))
            for session in [own, bobs] { try await begin(session, in: store) }
            let password = StoredPassword(
                hash: .init(repeating: 1, count: 32), salt: .init(repeating: 1, count: 16), memoryKibibytes: 8,
                passes: 1, lanes: 1)
            for _ in 0..<2 { try await store.setPassword(password, of: alice) }
            #expect(try await store.journeySession(own.token) == nil)
            #expect(try await store.journeySession(bobs.token) != nil)
            #expect(try await store.refreshFamily(token.family) != nil)
            #expect(try await events(.passwordSet, of: alice, in: store).map(\.actor) == [.backend, .backend])
            let ended = try await events(.journeySessionsEnded, of: alice, in: store)
            #expect(ended == [AuditEvent(.journeySessionsEnded, by: .backend, user: alice, count: 1)])
            // Accepting a correct password does not set a password, so the session continues.
            try await begin(TestJourneys.session(of: alice), in: store)
            try await store.acceptPassword(password, raisedTo: nil, of: alice)
            #expect(try await store.journeySessions(of: alice, limit: 10).count == 1)
        },
    ]

    private static func begin(_ session: NewJourneySession, in store: any RelyingPartyStore) async throws {
        let step = JourneyStep(use: TestJourneys.use(), session: session)
        #expect(try await store.recordJourneyStep(step) == .recorded)
    }

    private static func events(
        _ kind: AuditEvent.Kind, of user: UserID, in store: any RelyingPartyStore
    ) async throws -> [AuditEvent] {
        try await store.auditEntries(of: user, before: nil, limit: 50).map(\.event).filter { $0.kind == kind }
    }
}
