import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about the policy of one device for each user that every store keeps.
package enum DevicePolicyConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement(
            "A new device replaces all devices of its user with their refresh tokens, and no other user's"
        ) { store in
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            let (phone, tablet, other, new) = (TestDevice(), TestDevice(), TestDevice(), TestDevice())
            let (phoneID, tabletID) = (try await store.bind(phone, to: alice), try await store.bind(tablet, to: alice))
            let gone = try await store.bind(TestDevice(), to: alice)
            let revoked = try await store.revoke(gone, of: alice)
            _ = try await store.change(tabletID, of: alice, by: .operator, .block)
            let bobs = try await store.bind(other, to: bob)
            let token = try await store.logIn(phone, id: phoneID, user: alice)
            let asked = try TestTransaction.new(user: alice)
            _ = try await store.createTransaction(asked)

            guard case .bound(let id) = try await bind(new, to: alice, in: store) else {
                Issue.record("not bound")
                return
            }
            for replaced in [phoneID, tabletID] {
                let device = try #require(try await store.device(replaced, of: alice))
                #expect(device.stop == .replaced && device.replacedBy == id && device.revokedAt == TestTime.current)
            }
            #expect(try await store.device(gone, of: alice) == revoked)
            #expect(try await store.device(id, of: alice)?.stop == nil)
            #expect(try await store.device(bobs, of: bob)?.stop == nil)
            #expect(try await store.refresh(token, by: phone).0 == .refused)
            #expect(
                try await store.recordLogin(phone.login(id: phoneID, user: alice), consuming: Fixture.use())
                    == .deviceStopped(.replaced))
            #expect(
                try await store.decideTransaction(
                    TestTransaction.decision(.confirm, on: asked, by: phoneID), consuming: Fixture.use())
                    == .deviceStopped(.replaced))
            #expect(try await bind(phone, to: alice, in: store) == .deviceStopped(.replaced))
            #expect(try await store.change(phoneID, of: alice, by: .operator, .unblock)?.stop == .replaced)
            _ = try await store.logIn(new, id: id, user: alice)

            let events = try await store.auditEntries(of: alice, before: nil, limit: 100).map(\.event)
                .filter { $0.kind == .deviceReplaced }
            #expect(
                Set(events)
                    == Set(
                        [phoneID, tabletID].map { AuditEvent(.deviceReplaced, by: .device, user: alice, device: $0) }))
            #expect(events.count == 2)
        },

        StoreRequirement(
            "Binding the same key again replaces nothing, and a lost answer can be fetched again"
        ) { store in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let code = try await store.newCode(for: alice)
            let first = try await bind(device, to: alice, in: store, code: code)
            #expect(try await bind(device, to: alice, in: store, code: code) == first)
            #expect(try await bind(device, to: alice, in: store) == first)
            #expect(try await store.devices(of: alice).map(\.stop) == [nil])
        },

        StoreRequirement(
            "A refused binding replaces no device; with the policy of many devices none is replaced"
        ) { store in
            let (alice, bob, device) = (try Fixture.alice(), try Fixture.bob(), TestDevice())
            let id = try await store.bind(device, to: alice)
            #expect(try await bind(TestDevice(), to: alice, in: store, code: Fixture.hash()) == .codeRefused)
            let bobs = TestDevice()
            _ = try await store.bind(bobs, to: bob)
            #expect(try await bind(bobs, to: alice, in: store) == .keyTaken)
            #expect(try await bind(TestDevice(), to: alice, in: store, policy: .many) == .tooManyDevices)
            #expect(try await store.device(id, of: alice)?.stop == nil)
        },

        StoreRequirement("Of 20 devices bound at once, one stays active") { store in
            let alice = try Fixture.alice()
            _ = try await inParallel(20) { try await bind(TestDevice(), to: alice, in: store) }
            let stops = try await store.devices(of: alice).map(\.stop)
            #expect(stops.count == 20)
            #expect(stops.count { $0 == nil } == 1)
            #expect(stops.count { $0 == .replaced } == 19)
        },

        StoreRequirement("A concurrent login and binding leave the replaced device without a usable token") { store in
            let alice = try Fixture.alice()
            var device = TestDevice()
            var id = try await store.bind(device, to: alice)
            for _ in 0..<20 {
                let (next, token) = (TestDevice(), StoredToken(of: id))
                let login = try device.login(id: id, user: alice, token: token)
                let code = try await store.newCode(for: alice)
                async let outcome = store.recordLogin(login, consuming: Fixture.use())
                async let bound = bind(next, to: alice, in: store, code: code)
                #expect(try await [.loggedIn, .deviceStopped(.replaced)].contains(outcome))
                guard case .bound(let nextID) = try await bound else {
                    Issue.record("not bound")
                    return
                }
                #expect(try await store.refresh(token, by: device).0 == .refused)
                #expect(try await store.refreshFamily(token.family) == nil)
                (device, id) = (next, nextID)
            }
        },
    ]

    private static func bind(
        _ device: TestDevice,
        to user: UserID,
        in store: any RelyingPartyStore,
        code: EnrolmentCodeMAC? = nil,
        policy: DevicePolicy = .one
    ) async throws -> BindingOutcome {
        let fresh = try await store.newCode(for: user)
        let binding = try device.binding(user: user, code: code ?? fresh, activeDeviceLimit: 1, policy: policy)
        return try await store.bind(binding, consuming: Fixture.use())
    }
}
