import NightlatchRelyingParty
import NightlatchWire
import Testing

/// Profiles of users in every store.
package enum ProfileConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement("A profile is stored as it was set, with the time, and belongs to one user") { store in
            let (alice, bob, full) = (try Fixture.alice(), try Fixture.bob(), try TestProfile.full())
            for user in [alice, bob] { _ = try await store.newCode(for: user) }
            #expect(try await store.profile(of: alice) == nil)
            let first = StoredProfile(profile: full, revision: 1, updatedAt: TestTime.current)
            #expect(try await store.setProfile(full, of: alice, replacing: .any, by: .backend) == .stored(first))
            try await TestTime.after(.seconds(9)) { () async throws in
                #expect(try await store.profile(of: alice) == first)
                #expect(try await store.profile(of: bob) == nil)
                let empty = UserProfile()
                let second = StoredProfile(profile: empty, revision: 2, updatedAt: TestTime.current)
                #expect(try await store.setProfile(empty, of: alice, replacing: .any, by: .backend) == .stored(second))
                #expect(try await store.profile(of: alice) == second)
            }
        },

        StoreRequirement("A user who does not exist gets no profile, and is not created") { store in
            let alice = try Fixture.alice()
            for profile in [try TestProfile.full(), nil] {
                #expect(
                    try await store.setProfile(profile, of: alice, replacing: .any, by: .operator) == .noSuchUser)
            }
            #expect(try await store.profile(of: alice) == nil)
            #expect(try await store.user(alice) == nil)
        },

        StoreRequirement("A profile is replaced or removed only if it is the one that the caller names") {
            store in
            let (alice, full) = (try Fixture.alice(), try TestProfile.full())
            _ = try await store.newCode(for: alice)
            let first = StoredProfile(profile: full, revision: 1, updatedAt: TestTime.current)
            let early = try await store.setProfile(full, of: alice, replacing: .exactly(first), by: .operator)
            #expect(early == .changed(nil))
            #expect(try await store.setProfile(full, of: alice, replacing: .absent, by: .operator) == .stored(first))
            let other = try TestProfile.full(email: "a@example.org")
            for profile in [other, nil] {
                for replaced in [
                    .absent, .exactly(StoredProfile(profile: full, revision: 0, updatedAt: first.updatedAt)),
                    .exactly(StoredProfile(profile: full, revision: 2, updatedAt: first.updatedAt)),
                    .exactly(StoredProfile(profile: full, revision: 1, updatedAt: first.updatedAt + .seconds(1))),
                    .exactly(StoredProfile(profile: UserProfile(), revision: 1, updatedAt: first.updatedAt)),
                ] as [ReplacedProfile] {
                    let outcome = try await store.setProfile(profile, of: alice, replacing: replaced, by: .operator)
                    #expect(outcome == .changed(first), "\(replaced)")
                }
            }
            let second = StoredProfile(profile: other, revision: 2, updatedAt: TestTime.current)
            let changed = try await store.setProfile(other, of: alice, replacing: .exactly(first), by: .operator)
            #expect(changed == .stored(second))
            let removed = try await store.setProfile(nil, of: alice, replacing: .exactly(second), by: .operator)
            #expect(removed == .stored(nil))
            #expect(try await store.profile(of: alice) == nil)
            #expect(try await store.user(alice) != nil)
            #expect(try await store.setProfile(full, of: alice, replacing: .absent, by: .operator) == .stored(first))
        },

        StoreRequirement("A profile that was removed and set again is not the one that was read before") { store in
            let (alice, full) = (try Fixture.alice(), try TestProfile.full())
            _ = try await store.newCode(for: alice)
            _ = try await store.setProfile(full, of: alice, replacing: .absent, by: .operator)
            let read = try #require(try await store.profile(of: alice))
            _ = try await store.setProfile(nil, of: alice, replacing: .exactly(read), by: .backend)
            let other = try TestProfile.full(email: "other@example.com")
            _ = try await store.setProfile(other, of: alice, replacing: .absent, by: .backend)
            let newer = try #require(try await store.profile(of: alice))
            #expect(newer.revision == read.revision && newer.updatedAt == read.updatedAt)
            for profile in [try TestProfile.full(email: "third@example.com"), nil] {
                let outcome = try await store.setProfile(profile, of: alice, replacing: .exactly(read), by: .operator)
                #expect(outcome == .changed(newer))
            }
            #expect(try await store.profile(of: alice) == newer)
        },

        StoreRequirement("A repeated call gets the same answer and changes nothing") { store in
            let (alice, full) = (try Fixture.alice(), try TestProfile.full())
            _ = try await store.newCode(for: alice)
            let stored = StoredProfile(profile: full, revision: 1, updatedAt: TestTime.current)
            _ = try await store.setProfile(full, of: alice, replacing: .absent, by: .backend)
            try await TestTime.after(.seconds(9)) { () async throws in
                for replaced in [.any, .absent, .exactly(stored)] as [ReplacedProfile] {
                    let again = try await store.setProfile(full, of: alice, replacing: replaced, by: .backend)
                    #expect(again == .stored(stored))
                }
                for _ in 0..<2 {
                    let removed = try await store.setProfile(nil, of: alice, replacing: .exactly(stored), by: .backend)
                    #expect(removed == .stored(nil))
                }
            }
            let events = try await store.auditEntries(of: alice, before: nil, limit: 9).map(\.event.kind)
            #expect(events.count { $0 == .userProfileChanged } == 1)
            #expect(events.count { $0 == .userProfileRemoved } == 1)
        },

        StoreRequirement("Of two callers who replace one profile at the same time, one is refused") {
            store in
            let alice = try Fixture.alice()
            _ = try await store.newCode(for: alice)
            var current: StoredProfile?
            for round in 0..<20 {
                let replaced = ReplacedProfile(current)
                let changes = try ["one", "two"].map { try TestProfile.full(email: "\($0)\(round)@example.com") }
                async let one = store.setProfile(changes[0], of: alice, replacing: replaced, by: .operator)
                async let two = store.setProfile(changes[1], of: alice, replacing: replaced, by: .backend)
                let outcomes = try await [one, two]
                let stored = try #require(try await store.profile(of: alice))
                #expect(stored.revision == round + 1 && changes.contains(stored.profile))
                #expect(outcomes.filter { $0 == .stored(stored) }.count == 1)
                #expect(outcomes.filter { $0 == .changed(stored) }.count == 1)
                current = stored
            }
        },

        StoreRequirement("The log names the members of a profile that changed, and never their values") { store in
            let (alice, full) = (try Fixture.alice(), try TestProfile.full())
            _ = try await store.newCode(for: alice)
            var changed = full
            // Canonically equivalent, and another text for apps.
            changed.familyName = PersonName(rawValue: "O\u{301} Example")
            changed.email = full.email.map { .init($0.address, isVerified: false) }
            changed.phoneNumber = nil
            for (index, profile) in [full, changed, nil].enumerated() {
                try await TestTime.after(.seconds(1 + index)) { () async throws in
                    _ = try await store.setProfile(profile, of: alice, replacing: .any, by: .operator)
                }
            }
            let entries = try await store.auditEntries(of: alice, before: nil, limit: 3).reversed()
            #expect(
                entries.map(\.event.members) == [
                    UserProfile.Member.allCases, [.isEmailVerified, .familyName, .phoneNumber],
                    [.email, .isEmailVerified, .familyName, .givenName, .name],
                ])
            #expect(
                entries.map(\.event.kind) == [.userProfileChanged, .userProfileChanged, .userProfileRemoved])
            #expect(entries.allSatisfy { $0.event.actor == .operator && $0.event.user == alice })
            for row in try await store.auditRows(after: nil, limit: 100) {
                #expect(!String(decoding: row.body, as: UTF8.self).contains("xample"))
            }
            #expect(try await AuditSteps.findings(in: store).isEmpty)
        },

        StoreRequirement("A user that a journey creates gets the profile that it collected") { store in
            let (alice, full) = (try Fixture.alice(), try TestProfile.full(isVerified: false))
            let password = StoredPassword(hash: [1], salt: [2], memoryKibibytes: 8, passes: 1, lanes: 1)
            var step = JourneyStep(use: TestJourneys.use())
            step.creation = NewJourneyUser(user: alice, password: password, profile: full)
            #expect(try await store.recordJourneyStep(step) == .recorded)
            let stored = StoredProfile(profile: full, revision: 1, updatedAt: TestTime.current)
            #expect(try await store.profile(of: alice) == stored)
            // Another journey neither creates the user again nor touches the profile.
            var again = JourneyStep(use: TestJourneys.use())
            again.creation = NewJourneyUser(user: alice, password: password, profile: UserProfile())
            #expect(try await store.recordJourneyStep(again) == .userExists)
            #expect(try await store.profile(of: alice) == stored)
            let events = try await store.auditEntries(of: alice, before: nil, limit: 9).map(\.event)
            #expect(Set(events.map(\.kind)) == [.passwordSet, .userProfileChanged] && events.count == 2)
            #expect(events.compactMap(\.members) == [UserProfile.Member.allCases])
            #expect(events.map(\.actor) == [.user, .user])
        },
    ]
}
