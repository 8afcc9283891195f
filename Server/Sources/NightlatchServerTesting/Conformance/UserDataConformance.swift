import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The export and the deletion of users in every store.
package enum UserDataConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement("All records of a user are listed page by page, also ended ones, and no other user’s") {
            store in
            let (alice, bob) = (
                try await TestPerson(Fixture.alice(), in: store), try await TestPerson(Fixture.bob(), in: store)
            )
            for person in [alice, bob] {
                for kind in UserDataKind.allCases {
                    let all = try await records(kind, of: person.user, pageLength: 100, in: store)
                    #expect(all.count == person.counts[kind], "\(kind): \(all.count)")
                    #expect(try await records(kind, of: person.user, pageLength: 1, in: store) == all)
                }
                #expect(try await store.userData(.devices, of: person.user, after: nil, limit: 1).count == 1)
            }
            let stranger = try #require(UserID(rawValue: "stranger"))
            for kind in UserDataKind.allCases {
                #expect(try await store.userData(kind, of: stranger, after: nil, limit: 9).isEmpty)
            }
            let devices = try await records(.devices, of: alice.user, pageLength: 100, in: store)
            let active = try #require(
                devices.compactMap { record in
                    if case .device(let device, let login, let pin) = record, device.id == alice.id {
                        (device, login, pin)
                    } else {
                        nil
                    }
                }.first)
            #expect(try await store.device(alice.id, of: alice.user) == active.0)
            #expect(active.1?.authentication == Fixture.authentication && active.2 != nil)
        },

        StoreRequirement("A deleted user leaves nothing behind, and other users keep everything") { store in
            let (alice, bob) = (
                try await TestPerson(Fixture.alice(), in: store), try await TestPerson(Fixture.bob(), in: store)
            )
            let kept = try await everything(about: bob.user, in: store)
            guard case .deleted(let deletion) = try await store.deleteUser(alice.user, by: .operator, because: reason())
            else {
                Issue.record("not deleted")
                return
            }
            #expect(deletion.devices == 2 && deletion.journeyKeys == 1 && deletion.journeySessions == 2)
            #expect(deletion.appGrants == 1 && deletion.transactions == 3 && deletion.remoteLogins == 2)
            #expect(deletion.namedEntries == 0 && deletion.erasedEntries > 10)
            let left = try await everything(about: alice.user, in: store)
            #expect(left.records.allSatisfy { $0.value.isEmpty }, "\(left.records)")
            #expect(left.user == nil && left.profile == nil && left.policy == nil)
            #expect(try await everything(about: bob.user, in: store) == kept)

            #expect(try await store.refresh(alice.token, by: alice.device).0 == .refused)
            #expect(try await store.refreshFamily(alice.token.family) == nil)
            #expect(try await alice.redeemCode(in: store) == .refused)
            #expect(try await store.journeySession(alice.session) == nil)
            #expect(try await store.appGrant(alice.grant.id, of: nil) == nil)
            #expect(try await store.chargePasswordAttempt(of: alice.user) == nil)
            #expect(try await store.pinHardening(of: alice.id) == PinHardening())
            #expect(try await store.user(enrolledBy: alice.code, deviceKey: TestKey.newEC().id) == nil)
            let login = try await store.recordLogin(
                alice.device.login(id: alice.id, user: alice.user), consuming: Fixture.use())
            #expect(login == .noSuchDevice)
            let created = try await store.createTransaction(TestTransaction.new(user: alice.user))
            #expect(created == .addresseeUnknown)
            _ = try await store.logIn(bob.device, id: bob.id, user: bob.user)
            guard case .granted = try await bob.redeemCode(in: store) else {
                Issue.record("another user’s code is refused")
                return
            }
        },

        StoreRequirement("The begin of an export returns the user and is recorded, but not for an unknown user") {
            store in
            let alice = try await TestPerson(Fixture.alice(), in: store)
            let record = try #require(try await store.beginExport(of: alice.user, by: .operator))
            #expect(try await store.user(alice.user) == record && record.hasPassword)
            let filter = AuditFilter(user: alice.user, kind: .userExported)
            let entries = try await store.auditEntries(matching: filter, before: nil, limit: 9)
            #expect(entries.map(\.event) == [AuditEvent(.userExported, by: .operator, user: alice.user)])
            _ = try await store.deleteUser(alice.user, by: .operator, because: reason())
            #expect(try await store.beginExport(of: alice.user, by: .operator) == nil)
            #expect(try await store.auditEntries(of: alice.user, before: nil, limit: 9).isEmpty)
        },

        StoreRequirement("Lists of events show a user and their claims until the deletion, and then the pseudonym") {
            store in
            let alice = try await TestPerson(Fixture.alice(), in: store)
            let bound = AuditFilter(user: alice.user, kind: .journeyDeviceBound)
            for filter in [bound, AuditFilter(kind: .journeyDeviceBound)] {
                let entries = try await store.auditEntries(matching: filter, before: nil, limit: 9)
                #expect(entries.map(\.event.user) == [alice.user])
                #expect(entries.map(\.event.claims) == [#"{"note":"for alice"}"#])
                #expect(try await store.count(.auditEntries(filter), limit: 9) == 1)
            }
            guard case .deleted(let deletion) = try await store.deleteUser(alice.user, by: .operator, because: reason())
            else {
                Issue.record("not deleted")
                return
            }
            for filter in [bound, AuditFilter(user: alice.user)] {
                #expect(try await store.auditEntries(matching: filter, before: nil, limit: 9).isEmpty)
                #expect(try await store.count(.auditEntries(filter), limit: 9) == 0)
            }
            for user in [nil, deletion.pseudonym] {
                let filter = AuditFilter(user: user, kind: .journeyDeviceBound)
                let events = try await store.auditEntries(matching: filter, before: nil, limit: 9).map(\.event)
                #expect(events.count == 1 && events.allSatisfy { $0.user == nil && $0.claims == nil })
                #expect(events.first?.pseudonym == deletion.pseudonym)
                #expect(try await store.count(.auditEntries(filter), limit: 9) == 1)
            }
        },

        StoreRequirement("An unknown user is not deleted: the outcome says so, and nothing is written") { store in
            let alice = try await TestPerson(Fixture.alice(), in: store)
            let stranger = try #require(UserID(rawValue: "stranger"))
            let count = try await store.auditEntries(of: nil, before: nil, limit: 1000).count
            #expect(try await store.deleteUser(stranger, by: .operator, because: reason()) == .noSuchUser)
            #expect(try await store.auditEntries(of: nil, before: nil, limit: 1000).count == count)
            _ = try await store.deleteUser(alice.user, by: .operator, because: reason())
            #expect(try await store.deleteUser(alice.user, by: .operator, because: reason()) == .noSuchUser)
        },

        StoreRequirement(
            "The audit log keeps a deleted user’s entries under a pseudonym, and its chains match earlier heads"
        ) { store in
            let alice = try await TestPerson(Fixture.alice(), in: store)
            let before = try await store.auditEntries(of: alice.user, before: nil, limit: 1000)
            let heads = try await store.auditHeads()
            guard case .deleted(let deletion) = try await store.deleteUser(alice.user, by: .operator, because: reason())
            else {
                Issue.record("not deleted")
                return
            }
            #expect(deletion.erasedEntries == before.count)
            #expect(try await store.auditEntries(of: alice.user, before: nil, limit: 1000).isEmpty)
            let after = try await store.auditEntries(of: deletion.pseudonym, before: nil, limit: 1000)
            let event = try #require(after.first { $0.event.kind == .userDeleted }?.event)
            let reason = try reason()
            #expect(event.actor == .operator && event.reason == reason && event.count == before.count)
            #expect(event.user == nil && event.pseudonym == deletion.pseudonym)
            let expected = before.map { entry in
                var event = entry.event
                (event.user, event.claims, event.journeyKey) = (nil, nil, nil)
                event.pseudonym = deletion.pseudonym
                return AuditEntry(chain: entry.chain, sequence: entry.sequence, at: entry.at, event: event)
            }
            #expect(after.filter { $0.event.kind != .userDeleted } == expected)

            let inspection = try await AuditInspection(of: store, heads: heads + (try await store.auditHeads()))
            #expect(inspection.findings.isEmpty && inspection.erasedEntryCount == before.count)
            for row in try await store.auditRows(after: nil, limit: 1000) {
                let texts = [row.body, row.personal ?? [], Array((row.user ?? "").utf8)]
                for text in texts { #expect(!String(decoding: text, as: UTF8.self).contains("alice")) }
            }
        },

        StoreRequirement("A user who is created again has nothing of the deleted one, and no journey continues") {
            store in
            let alice = try await TestPerson(Fixture.alice(), in: store)
            let ground = JourneyGround(
                user: alice.user, generation: try await store.journeyGeneration(of: alice.user))
            let before = try await store.auditEntries(of: alice.user, before: nil, limit: 1000)
            _ = try await store.deleteUser(alice.user, by: .operator, because: reason())
            #expect(try await store.recordJourneyStep(step(on: ground)) == .groundGone)
            // Within the same second, and with the same key of the device.
            let again = try await TestPerson(Fixture.alice(), device: alice.device, in: store)
            #expect(again.id != alice.id && again.generation != ground.generation)
            for kind in UserDataKind.allCases {
                let all = try await records(kind, of: again.user, pageLength: 100, in: store)
                #expect(all.count == again.counts[kind], "\(kind): \(all.count)")
            }
            #expect(try await store.recordJourneyStep(step(on: ground)) == .groundGone)
            #expect(try await store.refresh(alice.token, by: alice.device).0 == .refused)
            #expect(try await alice.redeemCode(in: store) == .refused)
            // The new user's entries are not those of the deleted one.
            let after = try await store.auditEntries(of: again.user, before: nil, limit: 1000)
            #expect(after.count == before.count && Set(after).isDisjoint(with: before))
            #expect(after.allSatisfy { $0.event.device != alice.id })
        },

        StoreRequirement("A journey of a deleted user does not continue as a user whom another journey creates") {
            store in
            let alice = try Fixture.alice()
            func created() async throws -> JourneyGround {
                var step = JourneyStep(use: TestJourneys.use())
                let creation = NewJourneyUser(
                    user: alice,
                    password: StoredPassword(
                        hash: [UInt8](repeating: 1, count: 32), salt: [UInt8](repeating: 2, count: 16),
                        memoryKibibytes: 64, passes: 1, lanes: 1))
                step.creation = creation
                #expect(try await store.recordJourneyStep(step) == .recorded)
                return JourneyGround(user: alice, generation: creation.generation)
            }
            let first = try await created()
            #expect(try await store.recordJourneyStep(step(on: first)) == .recorded)
            _ = try await store.deleteUser(alice, by: .operator, because: reason())
            #expect(try await store.recordJourneyStep(step(on: first)) == .groundGone)
            let second = try await created()
            #expect(try await store.recordJourneyStep(step(on: first)) == .groundGone)
            #expect(try await store.recordJourneyStep(step(on: second)) == .recorded)
        },

        StoreRequirement("A deletion among many other verbs of the user leaves nothing of the user behind") { store in
            let alice = try await TestPerson(Fixture.alice(), in: store)
            let outcomes = try await withThrowingTaskGroup(of: UserDeletionOutcome?.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        switch number % 8 {
                        case 0 where number == 16:
                            return try await store.deleteUser(alice.user, by: .operator, because: reason())
                        case 1: _ = try await store.createTransaction(TestTransaction.new(user: alice.user))
                        case 2:
                            let login = try alice.device.login(id: alice.id, user: alice.user)
                            _ = try await store.recordLogin(login, consuming: Fixture.use())
                        case 3: _ = try await store.openRemoteLogin(TestRemoteLogin.new(of: alice.user))
                        case 4:
                            _ = try await store.recordJourneyStep(
                                JourneyStep(
                                    use: TestJourneys.use(),
                                    ground: JourneyGround(user: alice.user, generation: alice.generation),
                                    session: TestJourneys.session(of: alice.user)))
                        case 5: _ = try await store.revoke(alice.id, of: alice.user)
                        case 6:
                            _ = try await store.bind(
                                TestDevice().binding(user: alice.user, code: alice.code), consuming: Fixture.use())
                        case 7:
                            _ = try await store.setProfile(
                                TestProfile.full(), of: alice.user, replacing: .any, by: .backend)
                        default: _ = try await store.beginExport(of: alice.user, by: .operator)
                        }
                        return nil
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let deleted = outcomes.contains { outcome in
                if case .deleted = outcome { true } else { false }
            }
            #expect(deleted)
            let left = try await everything(about: alice.user, in: store)
            #expect(left.user == nil && left.records.allSatisfy { $0.value.isEmpty }, "\(left.records)")
            #expect(left.profile == nil && left.policy == nil)
            #expect(try await store.auditEntries(of: alice.user, before: nil, limit: 9).isEmpty)
            #expect(try await AuditSteps.findings(in: store).isEmpty)
        },
    ]

    /// A step that begins a session for the user of `ground`.
    private static func step(on ground: JourneyGround) -> JourneyStep {
        JourneyStep(use: TestJourneys.use(), ground: ground, session: TestJourneys.session(of: ground.user))
    }

    private static func reason() throws -> AuditReason { try #require(AuditReason(rawValue: "ticket 4711")) }

    private static func records(
        _ kind: UserDataKind, of user: UserID, pageLength: Int, in store: any RelyingPartyStore
    ) async throws -> [UserDataRecord] {
        var entries: [UserDataEntry] = []
        // Ends: with the empty page after the last record.
        while true {
            let page = try await store.userData(kind, of: user, after: entries.last?.place, limit: pageLength)
            #expect(page.count <= pageLength)
            if page.isEmpty { return entries.map(\.record) }
            entries += page
        }
    }

    /// All records of a user in a store.
    private struct Everything: Equatable {
        let user: UserRecord?
        let profile: StoredProfile?
        let policy: StoredPolicy?
        var records: [UserDataKind: [UserDataRecord]] = [:]
    }

    private static func everything(
        about user: UserID, in store: any RelyingPartyStore
    ) async throws -> Everything {
        var found = Everything(
            user: try await store.user(user), profile: try await store.profile(of: user),
            policy: try await store.policies(of: nil, and: user).first)
        for kind in UserDataKind.allCases {
            found.records[kind] = try await records(kind, of: user, pageLength: 100, in: store)
        }
        return found
    }
}
