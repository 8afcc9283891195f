import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about blocking and renaming devices that every store keeps.
package enum DeviceChangeConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement("A blocked device cannot log in, refresh, decide or bind until it is unblocked") { store in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await store.bind(device, to: alice)
            let token = try await store.logIn(device, id: id, user: alice)
            let asked = try TestTransaction.new(user: alice)
            _ = try await store.createTransaction(asked)

            let blocked = try #require(try await store.change(id, of: alice, by: .operator, .block))
            #expect(blocked.block == DeviceBlock(at: TestTime.current, by: .operator))
            #expect(blocked.stop == .blocked)
            #expect(try await store.device(id, of: alice) == blocked)
            #expect(try await store.devices(of: alice) == [blocked])

            func logIn() async throws -> LoginOutcome {
                try await store.recordLogin(device.login(id: id, user: alice), consuming: Fixture.use())
            }
            func decide(_ transaction: NewTransaction) async throws -> DecisionOutcome {
                try await store.decideTransaction(
                    TestTransaction.decision(.confirm, on: transaction, by: id), consuming: Fixture.use())
            }
            #expect(try await logIn() == .deviceStopped(.blocked))
            #expect(try await store.refresh(token, by: device).0 == .refused)
            #expect(try await store.refreshFamily(token.family) == nil)
            #expect(try await decide(asked) == .deviceStopped(.blocked))
            let again = try device.binding(user: alice, code: try await store.newCode(for: alice))
            #expect(try await store.bind(again, consuming: Fixture.use()) == .deviceStopped(.blocked))
            let named = try TestTransaction.new(user: alice, addressees: .devices([id]))
            #expect(try await store.createTransaction(named) == .addresseeUnknown)

            let unblocked = try #require(try await store.change(id, of: alice, by: .operator, .unblock))
            #expect(unblocked.stop == nil)
            #expect(try await store.device(id, of: alice) == unblocked)
            #expect(try await store.refresh(token, by: device).0 == .refused)
            #expect(try await logIn() == .loggedIn)
            #expect(try await decide(asked) == .recorded(.confirmed))
            #expect(try await store.bind(again, consuming: Fixture.use()) == .bound(id))
        },

        StoreRequirement(
            "A user cannot unblock a device that an operator blocked; an operator can unblock one that the user blocked"
        ) { store in
            let alice = try Fixture.alice()
            let id = try await store.bind(TestDevice(), to: alice)
            func block(after change: DeviceChange, by actor: ActingParty) async throws -> ActingParty.Kind? {
                try await store.change(id, of: alice, by: actor, change)?.block?.actor
            }
            #expect(try await block(after: .block, by: .user) == .user)
            #expect(try await block(after: .unblock, by: .user) == nil)
            #expect(try await block(after: .block, by: .user) == .user)
            #expect(try await block(after: .block, by: .operator) == .operator)
            #expect(try await block(after: .block, by: .user) == .operator)
            #expect(try await block(after: .unblock, by: .user) == .operator)
            #expect(try await block(after: .unblock, by: .operator) == nil)
            #expect(try await block(after: .block, by: .user) == .user)
            #expect(try await block(after: .unblock, by: .operator) == nil)
            let events = try await store.auditEntries(of: alice, before: nil, limit: 100).map(\.event)
                .filter { [.deviceBlocked, .deviceUnblocked].contains($0.kind) }
            #expect(events.filter { $0.kind == .deviceBlocked }.map(\.actor).count { $0 == .user } == 3)
            #expect(events.filter { $0.kind == .deviceBlocked }.map(\.actor).count { $0 == .operator } == 1)
            #expect(events.filter { $0.kind == .deviceUnblocked }.map(\.actor).count { $0 == .operator } == 2)
            #expect(events.count == 7)
        },

        StoreRequirement("A device is renamed, and a revoked one stays revoked") { store in
            let (alice, bob, device) = (try Fixture.alice(), try Fixture.bob(), TestDevice())
            let name = try #require(DeviceName(rawValue: "Kitchen tablet"))
            let id = try await store.bind(device, to: alice)
            let token = try await store.logIn(device, id: id, user: alice)
            let before = try #require(try await store.device(id, of: alice))
            for _ in 0..<2 {
                let renamed = try #require(try await store.change(id, of: alice, by: .user, .rename(name)))
                #expect(renamed.name == name && renamed.key == before.key && renamed.stop == nil)
                #expect(try await store.device(id, of: alice) == renamed)
            }
            #expect(try await store.refresh(token, by: device).0.isRotated)
            #expect(try await store.change(id, of: bob, by: .user, .rename(name)) == nil)
            #expect(try await store.change(.random(), of: alice, by: .user, .rename(name)) == nil)

            let revoked = try #require(try await store.revoke(id, of: alice))
            for change in [DeviceChange.block, .unblock, .revoke] {
                #expect(try await store.change(id, of: alice, by: .operator, change) == revoked)
            }
            let old = try #require(try await store.change(id, of: alice, by: .operator, .rename(Fixture.phone())))
            #expect(old.name == (try Fixture.phone()))
            #expect(old.revokedAt == revoked.revokedAt)

            let events = try await store.auditEntries(of: alice, before: nil, limit: 100).map(\.event)
            #expect(
                events.count { $0 == AuditEvent(.deviceRenamed, by: .user, user: alice, device: id) } == 1)
            #expect(
                events.count { $0 == AuditEvent(.deviceRenamed, by: .operator, user: alice, device: id) } == 1)
            #expect(!events.contains { [.deviceBlocked, .deviceUnblocked].contains($0.kind) })
        },

        StoreRequirement("A device that is blocked 50 times at once is blocked once") { store in
            let alice = try Fixture.alice()
            let id = try await store.bind(TestDevice(), to: alice)
            let outcomes = try await inParallel(50) {
                try await store.change(id, of: alice, by: .operator, .block)?.stop
            }
            #expect(outcomes.allSatisfy { $0 == .blocked })
            let entries = try await store.auditEntries(of: alice, before: nil, limit: 100)
            #expect(entries.count { $0.event.kind == .deviceBlocked } == 1)
        },
    ]
}
