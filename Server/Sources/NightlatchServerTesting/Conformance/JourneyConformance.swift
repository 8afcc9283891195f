import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about journeys that every store keeps.
package enum JourneyConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement("A question is answered once, whatever the answer") { store in
            try await addUsers(to: store)
            let (alice, use) = (try Fixture.alice(), TestJourneys.use())
            #expect(try await store.recordJourneyStep(JourneyStep(use: use)) == .recorded)
            let device = try TestJourneys.device(of: alice)
            #expect(try await store.recordJourneyStep(TestJourneys.binding(device, use: use)) == .used)
            #expect(try await store.journeyDevices(of: alice).isEmpty)
            let outcomes = try await inParallel(50) { [other = TestJourneys.use()] in
                try await store.recordJourneyStep(JourneyStep(use: other))
            }
            #expect(outcomes.filter { $0 == .recorded }.count == 1)
            #expect(outcomes.filter { $0 == .used }.count == 49)
        },

        StoreRequirement(
            "A question that is more than five minutes old is refused, even after its use was deleted"
        ) { store in
            try await addUsers(to: store)
            let use = TestJourneys.use()
            #expect(try await store.recordJourneyStep(JourneyStep(use: use)) == .recorded)
            try await TestTime.after(.seconds(300)) {
                let atTheEnd = try await store.recordJourneyStep(JourneyStep(use: use))
                #expect(atTheEnd == .used)
            }
            try await TestTime.after(.seconds(301)) {
                try await store.purgeExpired()
                let later = try await store.recordJourneyStep(JourneyStep(use: use))
                #expect(later == .expired)
            }
        },

        StoreRequirement("A key is bound as it was verified, and listed for its user only") { store in
            try await addUsers(to: store)
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            let device = try TestJourneys.device(of: alice)
            #expect(try await store.recordJourneyStep(TestJourneys.binding(device)) == .recorded)
            #expect(try await store.journeyDevices(of: alice) == [device])
            #expect(try await store.journeyDevices(of: bob).isEmpty)
            let other = try #require(JourneyKeyID(rawValue: "other"))
            let key = device.key.thumbprint
            #expect(try await store.isJourneyKeyTaken(key, as: other, of: alice))
            #expect(try await store.isJourneyKeyTaken(key, as: device.id, of: bob))
            let isTakenByItself = try await store.isJourneyKeyTaken(key, as: device.id, of: alice)
            #expect(!isTakenByItself)
            let isFreeTaken = try await store.isJourneyKeyTaken(try TestKey.newEC().id, as: device.id, of: alice)
            #expect(!isFreeTaken)
        },

        StoreRequirement("A key is bound once for all users, and a refused binding writes nothing") { store in
            try await addUsers(to: store)
            let (alice, bob, key) = (try Fixture.alice(), try Fixture.bob(), TestKey.newEC())
            let device = try TestJourneys.device(of: alice, key: key)
            #expect(try await store.recordJourneyStep(TestJourneys.binding(device)) == .recorded)
            let use = TestJourneys.use()
            for (name, user) in [("other", bob), (device.id.rawValue, bob), ("other", alice)] {
                let sameKey = TestJourneys.binding(try TestJourneys.device(name, of: user, key: key), use: use)
                #expect(try await store.recordJourneyStep(sameKey) == .keyTaken)
            }
            #expect(try await store.journeyDevices(of: bob).isEmpty)
            #expect(try await store.journeyDevices(of: alice) == [device])
            // The refused step has not used up the question.
            #expect(try await store.recordJourneyStep(JourneyStep(use: use)) == .recorded)
        },

        StoreRequirement("Two users may have keys with the same name, and changes of one leave the other") { store in
            try await addUsers(to: store)
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            let hers = try TestJourneys.device("my-custom-key-tag", of: alice)
            let his = try TestJourneys.device("my-custom-key-tag", of: bob)
            for device in [hers, his] {
                #expect(try await store.recordJourneyStep(TestJourneys.binding(device)) == .recorded)
            }
            #expect(try await store.journeyDevice(hers.id, of: alice) == hers)
            #expect(try await store.journeyDevice(his.id, of: bob) == his)
            let session = TestJourneys.session(of: bob, by: his.id)
            _ = try await store.recordJourneyStep(JourneyStep(use: TestJourneys.use(), session: session))
            let name = try #require(DeviceName(rawValue: "Old phone"))
            _ = try await store.renameJourneyDevice(hers.id, of: alice, to: name, by: .user)
            try await TestTime.after(.seconds(60)) {
                let signing = JourneySigning(key: hers.id, user: alice, claims: nil)
                let outcome = try await store.recordJourneyStep(
                    JourneyStep(use: TestJourneys.use(), signings: [signing]))
                #expect(outcome == .recorded)
            }
            #expect(try await store.journeyDevice(his.id, of: bob) == his)
            _ = try await store.removeJourneyDevice(hers.id, of: alice, by: .user, keeping: nil)
            #expect(try await store.journeyDevices(of: alice).isEmpty)
            #expect(try await store.journeyDevices(of: bob) == [his])
            #expect(try await store.journeySession(session.token) != nil)
        },

        StoreRequirement(
            "A key bound under the name of its user's other key replaces it, ends that key's sessions and is recorded"
        ) { store in
            try await addUsers(to: store)
            let alice = try Fixture.alice()
            let (old, new) = (try TestJourneys.device("tag", of: alice), try TestJourneys.device("tag", of: alice))
            let other = try TestJourneys.device("other", of: alice)
            for device in [old, other] {
                #expect(try await store.recordJourneyStep(TestJourneys.binding(device)) == .recorded)
            }
            let (own, stolen) = (
                TestJourneys.session(of: alice, by: old.id), TestJourneys.session(of: alice, by: old.id)
            )
            let byOther = TestJourneys.session(of: alice, by: other.id)
            for session in [own, stolen, byOther] {
                _ = try await store.recordJourneyStep(JourneyStep(use: TestJourneys.use(), session: session))
            }
            let generation = try await store.journeyGeneration(of: alice)
            // The limit of two keys allows this step, because the new key replaces the old one.
            let step = JourneyStep(
                use: TestJourneys.use(),
                ground: JourneyGround(user: alice, generation: generation, evidence: .session(own.token)),
                bindings: [JourneyBinding(device: new, limit: 2)])
            #expect(try await store.recordJourneyStep(step) == .recorded)
            #expect(try await Set(store.journeyDevices(of: alice)) == [new, other])
            #expect(try await store.journeySession(own.token) != nil)
            #expect(try await store.journeySession(stolen.token) == nil)
            #expect(try await store.journeySession(byOther.token) != nil)
            #expect(try await store.journeyGeneration(of: alice) == generation + 1)
            let events = try await store.auditEntries(of: alice, before: nil, limit: 20).map(\.event)
            let removed = events.filter { $0.kind == .journeyDeviceRemoved }
            #expect(removed.map(\.journeyKey) == [old.id] && removed.map(\.actor) == [.user])
            #expect(events.filter { $0.kind == .journeyDeviceBound }.count == 3)
            // The old key may be bound again, because the replacement deleted it completely.
            #expect(try await store.recordJourneyStep(TestJourneys.binding(old)) == .recorded)
            #expect(try await Set(store.journeyDevices(of: alice)) == [old, other])
        },

        StoreRequirement("A replacement that is refused with its step leaves the old key and its sessions") { store in
            try await addUsers(to: store)
            let alice = try Fixture.alice()
            let old = try TestJourneys.device("tag", of: alice)
            _ = try await store.recordJourneyStep(TestJourneys.binding(old))
            let session = TestJourneys.session(of: alice, by: old.id)
            _ = try await store.recordJourneyStep(JourneyStep(use: TestJourneys.use(), session: session))
            let generation = try await store.journeyGeneration(of: alice)
            let bindings = [
                JourneyBinding(device: try TestJourneys.device("tag", of: alice), limit: nil),
                JourneyBinding(device: try TestJourneys.device("too-many", of: alice), limit: 1),
            ]
            let step = JourneyStep(use: TestJourneys.use(), bindings: bindings)
            #expect(try await store.recordJourneyStep(step) == .tooManyDevices)
            #expect(try await store.journeyDevices(of: alice) == [old])
            #expect(try await store.journeySession(session.token) != nil)
            #expect(try await store.journeyGeneration(of: alice) == generation)
        },

        StoreRequirement(
            "Two bindings of one step that replace keys both count as replacements at the limit"
        ) { store in
            try await addUsers(to: store)
            let alice = try Fixture.alice()
            for name in ["a", "b"] {
                _ = try await store.recordJourneyStep(TestJourneys.binding(try TestJourneys.device(name, of: alice)))
            }
            let new = [try TestJourneys.device("a", of: alice), try TestJourneys.device("b", of: alice)]
            let step = JourneyStep(
                use: TestJourneys.use(), bindings: new.map { JourneyBinding(device: $0, limit: 2) })
            #expect(try await store.recordJourneyStep(step) == .recorded)
            #expect(try await Set(store.journeyDevices(of: alice)) == Set(new))
        },

        StoreRequirement(
            "A key replaced by one binding of a step may be bound under another name by the next binding"
        ) { store in
            try await addUsers(to: store)
            let (alice, key) = (try Fixture.alice(), TestKey.newEC())
            _ = try await store.recordJourneyStep(
                TestJourneys.binding(try TestJourneys.device("a", of: alice, key: key)))
            let new = [try TestJourneys.device("a", of: alice), try TestJourneys.device("b", of: alice, key: key)]
            let step = JourneyStep(
                use: TestJourneys.use(), bindings: new.map { JourneyBinding(device: $0, limit: 2) })
            #expect(try await store.recordJourneyStep(step) == .recorded)
            #expect(try await Set(store.journeyDevices(of: alice)) == Set(new))
        },

        StoreRequirement("Bindings of two users in one step count only for their own user") { store in
            try await addUsers(to: store)
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            let new = [try TestJourneys.device("a", of: alice), try TestJourneys.device("b", of: bob)]
            let step = JourneyStep(
                use: TestJourneys.use(), bindings: new.map { JourneyBinding(device: $0, limit: 1) })
            #expect(try await store.recordJourneyStep(step) == .recorded)
            #expect(try await store.journeyDevices(of: alice) == [new[0]])
            #expect(try await store.journeyDevices(of: bob) == [new[1]])
        },

        StoreRequirement("Of many keys bound at once under one name, one stays") { store in
            try await addUsers(to: store)
            let alice = try Fixture.alice()
            let generation = try await store.journeyGeneration(of: alice)
            let outcomes = try await inParallel(20) {
                try await store.recordJourneyStep(TestJourneys.binding(try TestJourneys.device("tag", of: alice)))
            }
            #expect(outcomes.allSatisfy { $0 == .recorded })
            #expect(try await store.journeyDevices(of: alice).count == 1)
            #expect(try await store.journeyGeneration(of: alice) == generation + 19)
        },

        StoreRequirement("A journey key is no device of our own protocol, nor the other way round") { store in
            try await addUsers(to: store)
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await store.bind(device, to: alice)
            #expect(try await store.journeyDevices(of: alice).isEmpty)
            let signing = JourneySigning(
                key: try #require(JourneyKeyID(rawValue: id.rawValue)), user: alice, claims: nil)
            let step = JourneyStep(use: TestJourneys.use(), signings: [signing])
            #expect(try await store.recordJourneyStep(step) == .noSuchDevice)

            // A journey's key with a name that is also a valid device id.
            let name = DeviceID.random()
            _ = try await store.recordJourneyStep(
                TestJourneys.binding(try TestJourneys.device(name.rawValue, of: alice)))
            #expect(try await store.devices(of: alice).map(\.id) == [id])
            #expect(try await store.device(name, of: alice) == nil)
            let login = try await store.recordLogin(try device.login(id: name, user: alice), consuming: Fixture.use())
            #expect(login == .noSuchDevice)
        },

        StoreRequirement("Of 200 bindings at once, only as many succeed as keys are allowed") { store in
            try await addUsers(to: store)
            let alice = try Fixture.alice()
            let outcomes = try await inParallel(200) {
                let id = Challenge.random().rawValue
                return try await store.recordJourneyStep(
                    TestJourneys.binding(try TestJourneys.device(id, of: alice), limit: 3))
            }
            #expect(outcomes.filter { $0 == .recorded }.count == 3)
            #expect(outcomes.filter { $0 == .tooManyDevices }.count == 197)
            #expect(try await store.journeyDevices(of: alice).count == 3)
        },

        StoreRequirement("A signature is recorded only if the key is still bound to its user") { store in
            try await addUsers(to: store)
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            let device = try TestJourneys.device(of: alice)
            _ = try await store.recordJourneyStep(TestJourneys.binding(device))
            try await TestTime.after(.seconds(60)) {
                let signing = JourneySigning(key: device.id, user: alice, claims: #"{"amount":"100.00"}"#)
                let step = JourneyStep(use: TestJourneys.use(), signings: [signing])
                let outcome = try await store.recordJourneyStep(step)
                #expect(outcome == .recorded)
                let accessed = try await store.journeyDevices(of: alice).first?.lastAccessAt
                #expect(accessed == TestTime.current)
                let entry = try #require(try await store.auditEntries(of: alice, before: nil, limit: 1).first)
                #expect(entry.event.kind == .journeySigned && entry.event.journeyKey == device.id)
                #expect(entry.event.claims == #"{"amount":"100.00"}"#)
            }
            let foreign = JourneySigning(key: device.id, user: bob, claims: nil)
            let token: JourneySessionHash = Fixture.hash()
            let step = JourneyStep(
                use: TestJourneys.use(), signings: [foreign], session: TestJourneys.session(of: bob, token: token))
            #expect(try await store.recordJourneyStep(step) == .noSuchDevice)
            #expect(try await store.journeySession(token) == nil)
        },

        StoreRequirement("A session lives until it is ended or expires") { store in
            try await addUsers(to: store)
            let alice = try Fixture.alice()
            let signed = JourneySigned(
                challenge: "Pay “100” EUR", claims: #"{"amount":100.00}"#, at: TestTime.current)
            let (kept, ended) = (TestJourneys.session(of: alice, signed: signed), TestJourneys.session(of: alice))
            for session in [kept, ended] {
                let step = JourneyStep(use: TestJourneys.use(), session: session)
                #expect(try await store.recordJourneyStep(step) == .recorded)
            }
            let found = try #require(try await store.journeySession(kept.token))
            #expect(found.user == alice && found.journey == "sign" && found.key == nil && found.signed == signed)
            #expect(try await store.journeySession(ended.token)?.signed == nil)
            #expect(found.expiresAt - found.beganAt == TestJourneys.life)
            try await store.endJourneySession(ended.token)
            try await store.endJourneySession(ended.token)
            #expect(try await store.journeySession(ended.token) == nil)
            try await TestTime.after(TestJourneys.life + .seconds(1)) {
                let late = try await store.journeySession(kept.token)
                #expect(late == nil)
                try await store.purgeExpired()
            }
            // The session is deleted, not only ignored as expired.
            #expect(try await store.journeySession(kept.token) == nil)
        },

        StoreRequirement(
            "Removing a key ends the sessions that it began, except the remover's own, and the key may be bound again"
        ) { store in
            try await addUsers(to: store)
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            let device = try TestJourneys.device(of: alice)
            _ = try await store.recordJourneyStep(TestJourneys.binding(device))
            let own = TestJourneys.session(of: alice, by: device.id)
            let stolen = TestJourneys.session(of: alice, by: device.id)
            let byPassword = TestJourneys.session(of: alice)
            for session in [own, stolen, byPassword] {
                _ = try await store.recordJourneyStep(JourneyStep(use: TestJourneys.use(), session: session))
            }
            let foreign = try await store.removeJourneyDevice(device.id, of: bob, by: .user, keeping: own.token)
            #expect(foreign == nil)
            let removed = try await store.removeJourneyDevice(device.id, of: alice, by: .user, keeping: own.token)
            #expect(removed?.id == device.id)
            #expect(try await store.journeySession(own.token) != nil)
            #expect(try await store.journeySession(byPassword.token) != nil)
            #expect(try await store.journeySession(stolen.token) == nil)
            let again = try await store.removeJourneyDevice(device.id, of: alice, by: .user, keeping: own.token)
            #expect(again == nil)
            #expect(try await store.recordJourneyStep(TestJourneys.binding(device)) == .recorded)
            // The backend has no session to keep.
            _ = try await store.removeJourneyDevice(device.id, of: alice, by: .backend, keeping: nil)
            #expect(try await store.journeySession(own.token) == nil)
            let kinds = try await store.auditEntries(of: alice, before: nil, limit: 20).map(\.event.kind)
            #expect(kinds.filter { $0 == .journeyDeviceRemoved }.count == 2)
            #expect(kinds.filter { $0 == .journeyDeviceBound }.count == 2)
            #expect(kinds.filter { $0 == .journeyLoggedIn }.count == 3)
        },

        StoreRequirement("A message is accepted once, and a step that repeats it does nothing") { store in
            try await addUsers(to: store)
            let alice = try Fixture.alice()
            let message = JourneyMessageUse(
                message: Fixture.hash(), expiresAt: TestTime.current + .seconds(90))
            let outcomes = try await inParallel(20) {
                let session = TestJourneys.session(of: alice)
                let outcome = try await store.recordJourneyStep(
                    JourneyStep(use: TestJourneys.use(), messages: [message], session: session))
                let lives = try await store.journeySession(session.token) != nil
                #expect(lives == (outcome == .recorded))
                return outcome
            }
            #expect(outcomes.filter { $0 == .recorded }.count == 1)
            #expect(outcomes.filter { $0 == .messageUsed }.count == 19)
            try await TestTime.after(.seconds(90)) {
                try await store.purgeExpired()
                let atTheEnd = try await store.recordJourneyStep(
                    JourneyStep(use: TestJourneys.use(), messages: [message]))
                #expect(atTheEnd == .messageUsed)
            }
            try await TestTime.after(.seconds(90) + ChallengeUse.retention + .seconds(1)) {
                try await store.purgeExpired()
                let forgotten = try await store.recordJourneyStep(
                    JourneyStep(use: TestJourneys.use(), messages: [message]))
                #expect(forgotten == .recorded)
            }
        },

        StoreRequirement("A device can be renamed for its own user only, and the change is recorded once") { store in
            try await addUsers(to: store)
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            let device = try TestJourneys.device(of: alice)
            _ = try await store.recordJourneyStep(TestJourneys.binding(device))
            let name = try #require(DeviceName(rawValue: "Old phone"))
            #expect(try await store.renameJourneyDevice(device.id, of: bob, to: name, by: .user) == nil)
            #expect(try await store.journeyDevice(device.id, of: bob) == nil)
            #expect(try await store.journeyDevice(device.id, of: alice)?.name == device.name)
            for actor: ActingParty in [.operator, .user] {
                let renamed = try await store.renameJourneyDevice(device.id, of: alice, to: name, by: actor)
                #expect(renamed?.name == name)
            }
            #expect(try await store.journeyDevices(of: alice).first?.name == name)
            #expect(try await store.journeyDevice(device.id, of: alice)?.name == name)
            let events = try await store.auditEntries(of: alice, before: nil, limit: 20).map(\.event)
                .filter { $0.kind == .journeyDeviceRenamed }
            #expect(events.map(\.actor) == [.operator] && events.first?.journeyKey == device.id)
        },
    ]

    /// Runs `body` with a store that knows alice and bob.
    private static func addUsers(to store: any RelyingPartyStore) async throws {
        for user in [try Fixture.alice(), try Fixture.bob()] { _ = try await store.newCode(for: user) }
    }
}
