import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The import of users in every store.
package enum UserImportConformance {
    package static let requirements: [StoreRequirement] =
        [
            StoreRequirement("Imported users have their passwords and profiles, and each is in the log") { store in
                let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
                let carol = try #require(UserID(rawValue: "carol"))
                let users = [
                    ImportedUser(bob, passwordHash: try hash(1)),
                    ImportedUser(alice, passwordHash: try hash(2), profile: try TestProfile.full()),
                    ImportedUser(carol, profile: try TestProfile.full(email: "carol@example.com")),
                ]
                let outcomes = try await store.importUsers(users, mode: .create, by: .operator)
                #expect(outcomes == [.created, .created, .created])
                #expect(try await store.chargePasswordAttempt(of: bob)?.imported == hash(1))
                #expect(try await store.chargePasswordAttempt(of: alice)?.imported == hash(2))
                #expect(try await store.chargePasswordAttempt(of: carol) == nil)
                #expect(try await store.profile(of: alice)?.profile == TestProfile.full())
                #expect(try await store.profile(of: alice)?.revision == 1)
                #expect(try await store.profile(of: bob) == nil)
                #expect(try await store.user(carol)?.hasPassword == false)

                let ofAlice = try await store.auditEntries(of: alice, before: nil, limit: 9).map(\.event)
                #expect(ofAlice.map(\.kind) == [.passwordSet, .userImported])
                #expect(ofAlice.map(\.actor) == [.operator, .operator])
                #expect(ofAlice.map(\.members) == [nil, UserProfile.Member.allCases])
                let ofBob = try await store.auditEntries(of: bob, before: nil, limit: 9).map(\.event)
                #expect(ofBob.map(\.kind) == [.passwordSet, .userImported] && ofBob.map(\.members) == [nil, nil])
                let ofCarol = try await store.auditEntries(of: carol, before: nil, limit: 9).map(\.event.kind)
                #expect(ofCarol == [.userImported])
                for row in try await store.auditRows(after: nil, limit: 100) {
                    let texts = [row.body, row.personal ?? []].map { String(decoding: $0, as: UTF8.self) }
                    #expect(!texts.contains { $0.contains("pbkdf2") || $0.contains("example.com") })
                }
            },

            StoreRequirement("A repeated import changes nothing and writes nothing") { store in
                let users = try users(3)
                _ = try await store.importUsers(users, mode: .create, by: .operator)
                let count = try await store.auditEntries(of: nil, before: nil, limit: 100).count
                for mode in [UserImportMode.create, .replace, .checkCreate, .checkReplace] {
                    let outcomes = try await store.importUsers(users, mode: mode, by: .operator)
                    #expect(outcomes == [.unchanged, .unchanged, .unchanged])
                }
                #expect(try await store.auditEntries(of: nil, before: nil, limit: 100).count == count)
            },

            StoreRequirement(
                "A user who exists keeps password and profile, and gets the imported ones only if they replace them"
            ) { store in
                let alice = try Fixture.alice()
                let first = ImportedUser(alice, passwordHash: try hash(7))
                _ = try await store.importUsers([first], mode: .create, by: .operator)
                _ = try await store.setProfile(
                    TestProfile.full(), of: alice, replacing: .any, by: .backend)
                let session = TestJourneys.session(of: alice)
                _ = try await store.recordJourneyStep(JourneyStep(use: TestJourneys.use(), session: session))
                let code = try await store.newCode(for: alice)
                for _ in 1...5 { _ = try await store.chargePasswordAttempt(of: alice) }
                let changed = try TestProfile.full(email: "new@example.com")
                let imported = ImportedUser(alice, passwordHash: try hash(1), profile: changed)
                for mode in [UserImportMode.create, .checkCreate] {
                    #expect(try await store.importUsers([imported], mode: mode, by: .operator) == [.exists])
                }
                #expect(try await store.importUsers([imported], mode: .checkReplace, by: .operator) == [.replaced])
                #expect(try await store.profile(of: alice)?.profile == TestProfile.full())
                #expect(try await store.journeySession(session.token) != nil)
                #expect(try await store.chargePasswordAttempt(of: alice) == nil)

                // A later time, so that the entries are the newest ones, whatever chain they are in.
                try await TestTime.after(.seconds(1)) { () async throws in
                    #expect(try await store.importUsers([imported], mode: .replace, by: .operator) == [.replaced])
                }
                #expect(try await store.chargePasswordAttempt(of: alice)?.imported == hash(1))
                #expect(try await store.profile(of: alice)?.profile == changed)
                #expect(try await store.profile(of: alice)?.revision == 2)
                #expect(try await store.journeySession(session.token) == nil)
                #expect(try await store.user(enrolledBy: code, deviceKey: TestDevice().key.id) == nil)
                let events = try await store.auditEntries(of: alice, before: nil, limit: 3).map(\.event)
                #expect(events.map(\.kind) == [.journeySessionsEnded, .passwordSet, .userImported])
                #expect(events.last?.members == [.email])

                // A line without a password or a profile replaces neither.
                let empty = ImportedUser(alice)
                #expect(try await store.importUsers([empty], mode: .replace, by: .operator) == [.unchanged])
                let profile = ImportedUser(alice, profile: try TestProfile.full())
                #expect(try await store.importUsers([profile], mode: .replace, by: .operator) == [.replaced])
                #expect(try await store.chargePasswordAttempt(of: alice)?.imported == hash(1))
            },

            StoreRequirement("A checked import writes nothing") { store in
                let users = try users(3)
                for mode in [UserImportMode.checkCreate, .checkReplace] {
                    let outcomes = try await store.importUsers(users, mode: mode, by: .operator)
                    #expect(outcomes == [.created, .created, .created])
                }
                #expect(try await store.users(startingWith: nil, after: nil, limit: 9).isEmpty)
                #expect(try await store.auditEntries(of: nil, before: nil, limit: 9).isEmpty)
            },

            StoreRequirement("The second of two lines about one user finds the first one’s user") { store in
                let alice = try Fixture.alice()
                let users = [try hash(1), try hash(1), try hash(2)].map { ImportedUser(alice, passwordHash: $0) }
                let created = try await store.importUsers(users, mode: .create, by: .operator)
                #expect(created == [.created, .unchanged, .exists])
                let replaced = try await store.importUsers(users, mode: .replace, by: .operator)
                #expect(replaced == [.unchanged, .unchanged, .replaced])
                #expect(try await store.chargePasswordAttempt(of: alice)?.imported == hash(2))
            },

            StoreRequirement(
                "A right password replaces the imported hash; a repeated import then leaves the user alone"
            ) { store in
                let alice = try Fixture.alice()
                let imported = ImportedUser(alice, passwordHash: try hash(1))
                _ = try await store.importUsers([imported], mode: .create, by: .operator)
                let charged = try #require(try await store.chargePasswordAttempt(of: alice))
                let code = NewEnrolmentCode(
                    mac: Fixture.hash(), user: alice, actor: .user, life: .seconds(600), password: charged)
                #expect(try await store.createEnrolmentCode(code) != nil)
                #expect(try await passwordForm(of: alice, in: store) == .pbkdf2)
                try await store.acceptPassword(charged, raisedTo: own(), of: alice)
                #expect(try await store.chargePasswordAttempt(of: alice) == own())
                #expect(try await passwordForm(of: alice, in: store) == nil)
                #expect(try await store.importUsers([imported], mode: .create, by: .operator) == [.exists])
                #expect(try await store.chargePasswordAttempt(of: alice) == own())
                #expect(try await store.acceptPassword(charged, raisedTo: own(2), of: alice) == false)
                #expect(try await store.chargePasswordAttempt(of: alice) == own())
            },

            StoreRequirement(
                "A password of this server is kept by every import, with its codes; the profile is replaced"
            ) { store in
                let alice = try Fixture.alice()
                try await store.setPassword(own(), of: alice)
                let code = try await store.newCode(for: alice)
                let imported = ImportedUser(alice, passwordHash: try hash(1), profile: try TestProfile.full())
                for mode in [UserImportMode.checkReplace, .replace, .replace, .checkReplace] {
                    #expect(try await store.importUsers([imported], mode: mode, by: .operator) == [.passwordKept])
                }
                #expect(try await store.chargePasswordAttempt(of: alice) == own())
                #expect(try await store.profile(of: alice)?.profile == TestProfile.full())
                #expect(try await store.profile(of: alice)?.revision == 1)
                #expect(try await store.user(enrolledBy: code, deviceKey: TestDevice().key.id) == alice)
                let kinds = try await store.auditEntries(of: alice, before: nil, limit: 9).map(\.event.kind)
                #expect(kinds.count { $0 == .userImported } == 1 && kinds.count { $0 == .passwordSet } == 1)
            },

            StoreRequirement("A user without a password gets the imported one, and unused codes become void") { store in
                let alice = try Fixture.alice()
                let code = try await store.newCode(for: alice)
                let imported = ImportedUser(alice, passwordHash: try hash(1))
                #expect(try await store.importUsers([imported], mode: .create, by: .operator) == [.exists])
                #expect(try await store.importUsers([imported], mode: .replace, by: .operator) == [.replaced])
                #expect(try await store.chargePasswordAttempt(of: alice)?.imported == hash(1))
                #expect(try await store.user(enrolledBy: code, deviceKey: TestDevice().key.id) == nil)
            },

            StoreRequirement("A deleted user’s imported password is deleted too") { store in
                let alice = try Fixture.alice()
                let imported = ImportedUser(alice, passwordHash: try hash(1), profile: try TestProfile.full())
                _ = try await store.importUsers([imported], mode: .create, by: .operator)
                let reason = try #require(AuditReason(rawValue: "ticket 4711"))
                _ = try await store.deleteUser(alice, by: .operator, because: reason)
                #expect(try await store.chargePasswordAttempt(of: alice) == nil)
                #expect(try await store.userData(.passwords, of: alice, after: nil, limit: 9).isEmpty)
                #expect(try await store.importUsers([imported], mode: .create, by: .operator) == [.created])
            },
        ] + (0..<5).flatMap { [importRace($0), passwordRace($0), firstPasswordRace($0), deletionRace($0)] }

    private static func importRace(_ round: Int) -> StoreRequirement {
        StoreRequirement("Of imports of the same users at once, one creates each user: \(round)") { store in
            let users = try users(12)
            let all = try await inParallel(6) {
                // Some begin with the last user.
                let isReversed = Bool.random()
                let outcomes = try await store.importUsers(
                    isReversed ? users.reversed() : users, mode: .create, by: .operator)
                return isReversed ? outcomes.reversed() : outcomes
            }
            for index in users.indices {
                let outcomes = all.map { $0[index] }
                #expect(outcomes.count { $0 == .created } == 1 && outcomes.count { $0 == .unchanged } == 5)
            }
            #expect(try await store.auditEntries(of: nil, before: nil, limit: 100).count == 24)
            #expect(try await AuditSteps.findings(in: store).isEmpty)
        }
    }

    private static func passwordRace(_ round: Int) -> StoreRequirement {
        StoreRequirement("An import never replaces a password that is set at the same time: \(round)") { store in
            let (alice, imported) = (
                try Fixture.alice(), try users(8) + [ImportedUser(Fixture.alice(), passwordHash: hash(99))]
            )
            async let outcomes = store.importUsers(imported, mode: .create, by: .operator)
            async let set: Void = store.setPassword(own(), of: alice)
            let last = try await outcomes.last
            try await set
            #expect(last == .created || last == .exists)
            #expect(try await store.chargePasswordAttempt(of: alice) == own())
        }
    }

    private static func firstPasswordRace(_ round: Int) -> StoreRequirement {
        StoreRequirement("A first password that is set during an import is never replaced by it: \(round)") { store in
            let alice = try Fixture.alice()
            _ = try await store.newCode(for: alice)
            let imported = try users(8) + [ImportedUser(alice, passwordHash: hash(99))]
            async let outcomes = store.importUsers(imported, mode: .replace, by: .operator)
            async let set: Void = store.setPassword(own(), of: alice)
            let last = try await outcomes.last
            try await set
            #expect(last == .replaced || last == .passwordKept)
            #expect(try await store.chargePasswordAttempt(of: alice) == own())
        }
    }

    private static func deletionRace(_ round: Int) -> StoreRequirement {
        StoreRequirement("An import and a deletion of one user leave a whole user or none: \(round)") { store in
            let alice = try Fixture.alice()
            let first = ImportedUser(alice, passwordHash: try hash(7))
            _ = try await store.importUsers([first], mode: .create, by: .operator)
            let reason = try #require(AuditReason(rawValue: "ticket 4711"))
            let imported = ImportedUser(alice, passwordHash: try hash(1), profile: try TestProfile.full())
            async let outcomes = store.importUsers([imported], mode: .replace, by: .operator)
            async let deletion = store.deleteUser(alice, by: .operator, because: reason)
            let (outcome, deleted) = (try await outcomes.first, try await deletion)
            guard case .deleted = deleted else {
                Issue.record("not deleted")
                return
            }
            let (user, charged) = (try await store.user(alice), try await store.chargePasswordAttempt(of: alice))
            if outcome == .created {
                #expect(user?.hasPassword == true && charged?.imported == imported.passwordHash)
                #expect(try await store.profile(of: alice)?.profile == TestProfile.full())
            } else {
                #expect(outcome == .replaced && user == nil && charged == nil)
                #expect(try await store.profile(of: alice) == nil)
            }
        }
    }

    private static func users(_ count: Int) throws -> [ImportedUser] {
        try (0..<count).map { index in
            ImportedUser(try #require(UserID(rawValue: "user\(index)")), passwordHash: try hash(index))
        }
    }

    /// A hash that no password of a test has.
    private static func hash(_ number: Int) throws -> ImportedPasswordHash {
        try ImportedPasswordHash("$pbkdf2$\(number + 1)$c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAA")
    }

    private static func own(_ byte: UInt8 = 1) -> StoredPassword {
        StoredPassword(
            hash: .init(repeating: byte, count: 32), salt: .init(repeating: 1, count: 16), memoryKibibytes: 8,
            passes: 1, lanes: 1)
    }

    private static func passwordForm(
        of user: UserID, in store: any RelyingPartyStore
    ) async throws -> ImportedPasswordHash.Form? {
        let entry = try #require(try await store.userData(.passwords, of: user, after: nil, limit: 1).first)
        guard case .password(_, let form) = entry.record else { throw StepFailed(outcome: "\(entry.record)") }
        return form
    }
}
