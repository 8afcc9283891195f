import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about the master key's state and the processes that every store keeps.
package enum MasterKeyConformance {
    private static let box: [UInt8] = [1, 2, 3]

    package static let requirements: [StoreRequirement] = [
        StoreRequirement("The first master key is recorded once, and a second record changes nothing") { store in
            let (one, two) = (MasterKeyID.random(), MasterKeyID.random())
            #expect(try await store.masterKeyState() == nil)
            let state = MasterKeyState(sealing: one, since: TestTime.current, keptSecrets: Self.box)
            for id in [one, two] {
                #expect(try await store.changeMasterKey(.establish(id, keptSecrets: Self.box)) == .done(state))
            }
            #expect(try await store.masterKeyState() == state)
            let outcomes = try await inParallel(20) {
                try await store.changeMasterKey(.establish(.random(), keptSecrets: [9]))
            }
            #expect(Set(outcomes) == [.done(state)])
        },

        StoreRequirement("A rotation has three steps; each can be repeated, and none can be left out") { store in
            let (old, new) = (MasterKeyID.random(), MasterKeyID.random())
            let begin = MasterKeyChange.begin(from: old, to: new, keptSecrets: [4], withoutServers: true)
            #expect(try await store.changeMasterKey(begin) == .differs(nil))
            guard case .done(let first) = try await store.changeMasterKey(.establish(old, keptSecrets: Self.box))
            else { throw StepFailed(outcome: "not established") }
            for change in [MasterKeyChange.close(new), .finish(new)] {
                #expect(try await store.changeMasterKey(change) == .differs(first))
            }
            let foreign = MasterKeyChange.begin(from: .random(), to: new, keptSecrets: [4], withoutServers: true)
            #expect(try await store.changeMasterKey(foreign) == .differs(first))

            let switched = MasterKeyState(
                sealing: new, previous: old, phase: .switching, since: TestTime.current, keptSecrets: [4])
            for _ in 0..<2 { #expect(try await store.changeMasterKey(begin) == .done(switched)) }
            let other = MasterKeyChange.begin(from: new, to: .random(), keptSecrets: [5], withoutServers: true)
            for change in [other, .finish(new), .close(old)] {
                #expect(try await store.changeMasterKey(change) == .differs(switched))
            }
            let closed = MasterKeyState(
                sealing: new, previous: old, phase: .sealing, since: TestTime.current,
                previousEndsAt: TestTime.current + MasterKeyState.textLife, keptSecrets: [4])
            for _ in 0..<2 { #expect(try await store.changeMasterKey(.close(new)) == .done(closed)) }
            #expect(try await store.changeMasterKey(other) == .differs(closed))
            let settled = MasterKeyState(
                sealing: new, previous: old, phase: .settled, since: closed.since,
                previousEndsAt: closed.previousEndsAt, keptSecrets: [4])
            for _ in 0..<2 { #expect(try await store.changeMasterKey(.finish(new)) == .done(settled)) }
            #expect(try await store.masterKeyState() == settled)
            let events = try await store.auditEntries(of: nil, before: nil, limit: 9).map(\.event)
            #expect(
                events == [
                    AuditEvent(.masterKeyRotated, by: .operator),
                    AuditEvent(.masterKeyRotationBegan, by: .operator),
                ])
        },

        StoreRequirement("A rotation waits for each live process, first to know the key, then to seal under it") {
            store in
            let (old, new) = (MasterKeyID.random(), MasterKeyID.random())
            let begin = MasterKeyChange.begin(from: old, to: new, keptSecrets: [4], withoutServers: true)
            func process(_ name: String, keys: Set<MasterKeyID>, sealing: MasterKeyID) -> RunningProcess {
                RunningProcess(id: .random(), name: name, keys: keys, sealing: sealing)
            }
            _ = try await store.changeMasterKey(.establish(old, keptSecrets: Self.box))
            let ready = process("a", keys: [old, new], sealing: old)
            let late = process("b", keys: [old], sealing: old)
            for process in [late, ready] { #expect(try await store.report(process)?.sealing == old) }
            #expect(try await store.runningProcesses() == [ready, late].map { $0.seen(at: TestTime.current) })
            #expect(
                try await store.changeMasterKey(begin) == .waiting(for: [late.seen(at: TestTime.current)]))
            #expect(try await store.masterKeyState()?.sealing == old)
            let restarted = RunningProcess(id: late.id, name: "b", keys: [old, new], sealing: old)
            _ = try await store.report(restarted)
            guard case .done = try await store.changeMasterKey(begin) else { throw StepFailed(outcome: "waits") }

            let followed = RunningProcess(id: ready.id, name: "a", keys: [old, new], sealing: new)
            #expect(try await store.report(followed)?.sealing == new)
            #expect(
                try await store.changeMasterKey(.close(new)) == .waiting(for: [restarted.seen(at: TestTime.current)]))
            try await store.endProcess(restarted.id)
            try await store.endProcess(restarted.id)
            guard case .done = try await store.changeMasterKey(.close(new)) else {
                throw StepFailed(outcome: "waits for a process that has ended")
            }
        },

        StoreRequirement(
            "A process that has not reported for half a minute, or whose report is in the future, holds nothing up"
        ) { store in
            let (old, new) = (MasterKeyID.random(), MasterKeyID.random())
            let begin = MasterKeyChange.begin(from: old, to: new, keptSecrets: [4], withoutServers: true)
            _ = try await store.changeMasterKey(.establish(old, keptSecrets: Self.box))
            let killed = RunningProcess(id: .random(), name: "killed", keys: [old], sealing: old)
            _ = try await store.report(killed)
            let ahead = RunningProcess(id: .random(), name: "ahead", keys: [old], sealing: old)
            try await TestTime.setting(.seconds(3600)) { () async throws in _ = try await store.report(ahead) }
            _ = try await store.report(killed)
            try await TestTime.after(.seconds(30)) { () async throws in
                #expect(
                    try await store.changeMasterKey(begin)
                        == .waiting(for: [killed.seen(at: TestTime.current + .seconds(-30))]))
            }
            try await TestTime.after(.seconds(31)) { () async throws in
                #expect(try await store.runningProcesses() == [])
                guard case .done = try await store.changeMasterKey(begin) else { throw StepFailed(outcome: "waits") }
            }
        },

        StoreRequirement("The old key is needed for a day, counted from the end of the last unused enrolment code") {
            store in
            let (old, new) = (MasterKeyID.random(), MasterKeyID.random())
            let alice = try Fixture.alice()
            let used = try await store.newCode(for: alice)
            _ = try await store.bind(
                TestDevice().binding(user: alice, code: used), consuming: Fixture.use())
            let code = NewEnrolmentCode(
                mac: Fixture.hash(), user: alice, actor: .backend, life: .seconds(7000))
            let end = try #require(try await store.createEnrolmentCode(code))
            _ = try await store.changeMasterKey(.establish(old, keptSecrets: Self.box))
            _ = try await store.changeMasterKey(.begin(from: old, to: new, keptSecrets: [4], withoutServers: true))
            guard case .done(let state) = try await store.changeMasterKey(.close(new)) else {
                throw StepFailed(outcome: "not closed")
            }
            #expect(state.previousEndsAt == end + .seconds(24 * 60 * 60))
        },

        StoreRequirement("A signing key's box is replaced only if it is the expected one, and keeps its times") {
            store in
            let (old, new) = (MasterKeyID.random(), MasterKeyID.random())
            let key = try Fixture.signingKey()
            _ = try await store.addSigningKey(key, after: nil)
            #expect(try await store.use(of: new).signingKeys == .init(under: 0, other: 1))
            let sealed = SealedSigningKey(
                id: key.id, box: [7], masterKey: new, createdAt: key.createdAt, activeFrom: key.activeFrom)
            #expect(try await !store.replaceBox([9], of: sealed))
            #expect(try await store.signingKeys() == [key])
            #expect(try await store.replaceBox(key.box, of: sealed))
            #expect(try await !store.replaceBox(key.box, of: sealed))
            #expect(try await store.signingKeys() == [sealed])
            #expect(try await store.use(of: new).signingKeys == .init(under: 1, other: 0))
            #expect(try await store.use(of: old).signingKeys == .init(under: 0, other: 1))
        },

        StoreRequirement("A rotation does not begin while no process is alive, unless none is expected") { store in
            let (old, new) = (MasterKeyID.random(), MasterKeyID.random())
            _ = try await store.changeMasterKey(.establish(old, keptSecrets: Self.box))
            let begin = MasterKeyChange.begin(from: old, to: new, keptSecrets: [4], withoutServers: false)
            #expect(try await store.changeMasterKey(begin) == .waiting(for: []))
            let newOnly = RunningProcess(id: .random(), name: "a", keys: [new], sealing: new)
            _ = try await store.report(newOnly)
            #expect(
                try await store.changeMasterKey(begin) == .waiting(for: [newOnly.seen(at: TestTime.current)]))
        },

        StoreRequirement("The next rotation begins only when nothing of the last one's old key is valid any more") {
            store in
            let (one, two, three) = (MasterKeyID.random(), MasterKeyID.random(), MasterKeyID.random())
            _ = try await store.changeMasterKey(.establish(one, keptSecrets: Self.box))
            _ = try await store.changeMasterKey(
                .begin(from: one, to: two, keptSecrets: [4], withoutServers: true))
            for change in [MasterKeyChange.close(two), .finish(two)] { _ = try await store.changeMasterKey(change) }
            let end = TestTime.current + MasterKeyState.textLife
            let next = MasterKeyChange.begin(from: two, to: three, keptSecrets: [5], withoutServers: true)
            #expect(try await store.changeMasterKey(next) == .tooEarly(until: end))
            try await TestTime.after(MasterKeyState.textLife) { () async throws in
                guard case .done = try await store.changeMasterKey(next) else { throw StepFailed(outcome: "not begun") }
            }
        },

        StoreRequirement("Forgetting the signing keys keeps the master key's state; only then a lost key is replaced") {
            store in
            let (lost, new) = (MasterKeyID.random(), MasterKeyID.random())
            _ = try await store.addSigningKey(try Fixture.signingKey(), after: nil)
            guard case .done(let state) = try await store.changeMasterKey(.establish(lost, keptSecrets: Self.box))
            else { throw StepFailed(outcome: "not established") }
            let change = MasterKeyChange.replaceLost(lost, by: new, keptSecrets: [4])
            #expect(try await store.changeMasterKey(change) == .differs(state))
            _ = try await store.forgetSigningKeys()
            #expect(try await store.masterKeyState() == state)
            let replaced = MasterKeyState(sealing: new, since: TestTime.current, keptSecrets: [4])
            #expect(try await store.changeMasterKey(change) == .done(replaced))
            #expect(try await store.changeMasterKey(change) == .differs(replaced))
            let events = try await store.auditEntries(of: nil, before: nil, limit: 9).map(\.event)
            #expect(events.first == AuditEvent(.masterKeyReplaced, by: .server))
        },

        StoreRequirement("An enrolment code under a replaced key is not stored") { store in
            let (old, new) = (MasterKeyID.random(), MasterKeyID.random())
            func create(under key: MasterKeyID) async throws -> NumericDate? {
                try await store.createEnrolmentCode(
                    NewEnrolmentCode(
                        mac: Fixture.hash(), masterKey: key, user: try Fixture.alice(), actor: .backend,
                        life: .seconds(60)))
            }
            _ = try await store.changeMasterKey(.establish(old, keptSecrets: Self.box))
            _ = try await create(under: old)
            _ = try await store.changeMasterKey(
                .begin(from: old, to: new, keptSecrets: [4], withoutServers: true))
            _ = try await create(under: old)
            _ = try await store.changeMasterKey(.close(new))
            await #expect(throws: RelyingPartyStoreError(.unavailable)) { try await create(under: old) }
            #expect(try await create(under: new) != nil)
        },
    ]
}
