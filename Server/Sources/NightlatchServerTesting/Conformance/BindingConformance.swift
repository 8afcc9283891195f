import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about bindings that every store keeps.
package enum BindingConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement("A code binds one key, and the device is stored") { store in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await store.bind(device, to: alice)
            let found = try #require(try await store.device(id, of: alice))
            #expect(found.key == (try device.key.jwk))
            #expect(found.possessionKey == (try device.possession.id))
            #expect(found.boundAt == TestTime.current)
            #expect(found.revokedAt == nil)
            #expect(try await store.devices(of: alice) == [found])
            #expect(try await store.device(id, of: Fixture.bob()) == nil)
            #expect(try await store.devices(of: Fixture.bob()).isEmpty)
        },

        StoreRequirement("A used code is refused to another key and accepted again for its own key") { store in
            let (alice, device, thief) = (try Fixture.alice(), TestDevice(), TestDevice())
            let code = try await store.newCode(for: alice)
            #expect(try await store.user(enrolledBy: code, deviceKey: thief.key.id) == alice)
            let first = try await store.bind(device.binding(user: alice, code: code), consuming: Fixture.use())
            #expect(try await store.user(enrolledBy: code, deviceKey: thief.key.id) == nil)
            #expect(try await store.user(enrolledBy: code, deviceKey: device.key.id) == alice)
            let stolen = try await store.bind(thief.binding(user: alice, code: code), consuming: Fixture.use())
            #expect(stolen == .codeRefused)
            let again = try await store.bind(device.binding(user: alice, code: code), consuming: Fixture.use())
            #expect(again == first)
            #expect(try await store.devices(of: alice).count == 1)
        },

        StoreRequirement("Unknown and expired codes, and those of another user, are refused") { store in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let unknown = try await store.bind(
                device.binding(user: alice, code: Fixture.hash()), consuming: Fixture.use())
            #expect(unknown == .codeRefused)
            let bobs = try await store.newCode(for: Fixture.bob())
            let others = try await store.bind(device.binding(user: alice, code: bobs), consuming: Fixture.use())
            #expect(others == .codeRefused)
            let code = try await store.newCode(for: alice)
            try await TestTime.after(.seconds(601)) {
                #expect(try await store.user(enrolledBy: code, deviceKey: device.key.id) == nil)
                let late = try await store.bind(device.binding(user: alice, code: code), consuming: Fixture.use())
                #expect(late == .codeRefused)
            }
            #expect(try await store.devices(of: alice).isEmpty)
        },

        StoreRequirement(
            "A repeated message gives the same device, and another message with its challenge is refused"
        ) { store in
            let (alice, device, use) = (try Fixture.alice(), TestDevice(), Fixture.use())
            let binding = try device.binding(user: alice, code: try await store.newCode(for: alice))
            let first = try await store.bind(binding, consuming: use)
            #expect(try await store.bind(binding, consuming: use) == first)
            let other = try TestDevice().binding(user: alice, code: try await store.newCode(for: alice))
            #expect(try await store.bind(other, consuming: Fixture.use(use.challenge)) == .challengeUsed)
        },

        StoreRequirement("A challenge that has expired by the store's clock binds nothing") { store in
            let (alice, use) = (try Fixture.alice(), Fixture.use())
            let binding = try TestDevice().binding(user: alice, code: try await store.newCode(for: alice))
            try await TestTime.after(.seconds(121)) {
                let outcome = try await store.bind(binding, consuming: use)
                #expect(outcome == .challengeExpired)
            }
            #expect(try await store.bind(binding, consuming: use) != .challengeExpired)
        },

        StoreRequirement("A refused binding uses nothing up") { store in
            let (alice, device, use) = (try Fixture.alice(), TestDevice(), Fixture.use())
            let refused = try await store.bind(device.binding(user: alice, code: Fixture.hash()), consuming: use)
            #expect(refused == .codeRefused)
            let code = try await store.newCode(for: alice)
            let bound = try await store.bind(
                device.binding(user: alice, code: code), consuming: Fixture.use(use.challenge))
            #expect(bound != .challengeUsed)
        },

        StoreRequirement("A used code is accepted for its own key until a day after its expiry") { store in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let code = try await store.newCode(for: alice)
            let first = try await store.bind(device.binding(user: alice, code: code), consuming: Fixture.use())
            try await TestTime.after(.seconds(600 + 24 * 60 * 60)) {
                #expect(try await store.user(enrolledBy: code, deviceKey: device.key.id) == alice)
                let again = try await store.bind(device.binding(user: alice, code: code), consuming: Fixture.use())
                #expect(again == first)
            }
            try await TestTime.after(.seconds(600 + 24 * 60 * 60 + 1)) {
                #expect(try await store.user(enrolledBy: code, deviceKey: device.key.id) == nil)
                let late = try await store.bind(device.binding(user: alice, code: code), consuming: Fixture.use())
                #expect(late == .codeRefused)
            }
        },

        StoreRequirement(
            "A user cannot exceed the limit of devices, but can bind the same keys again, and a new one after a revocation"
        ) { store in
            let (alice, devices, third) = (try Fixture.alice(), [TestDevice(), TestDevice()], TestDevice())
            func bind(_ device: TestDevice, code: EnrolmentCodeMAC) async throws -> BindingOutcome {
                try await store.bind(
                    device.binding(user: alice, code: code, activeDeviceLimit: 2), consuming: Fixture.use())
            }
            var ids: [DeviceID] = []
            for device in devices {
                guard case .bound(let id) = try await bind(device, code: store.newCode(for: alice)) else {
                    Issue.record("not bound")
                    return
                }
                ids.append(id)
            }
            let code = try await store.newCode(for: alice)
            #expect(try await bind(third, code: code) == .tooManyDevices)
            #expect(try await store.devices(of: alice).count == 2)
            #expect(try await bind(devices[0], code: store.newCode(for: alice)) == .bound(ids[0]))
            _ = try await store.revoke(ids[0], of: alice)
            guard case .bound = try await bind(third, code: code) else {
                Issue.record("the code was used up")
                return
            }
        },

        StoreRequirement(
            "A list has the last bound of the active devices and the last revoked of the others"
        ) { store in
            let alice = try Fixture.alice()
            var ids: [DeviceID] = []
            for index in 0..<6 {
                try await TestTime.after(.seconds(index)) { ids.append(try await store.bind(TestDevice(), to: alice)) }
            }
            for (index, id) in [ids[4], ids[0], ids[2]].enumerated() {
                try await TestTime.after(.seconds(10 + index)) { _ = try await store.revoke(id, of: alice) }
            }
            let all = try await store.devices(of: alice, activeLimit: 10, revokedLimit: 10)
            #expect(all.map(\.id) == ids)
            let some = try await store.devices(of: alice, activeLimit: 2, revokedLimit: 2)
            #expect(some.map(\.id) == [ids[0], ids[2], ids[3], ids[5]])
        },

        StoreRequirement("A key is bound to one user and, once revoked, can never be bound again") { store in
            let (alice, bob, device) = (try Fixture.alice(), try Fixture.bob(), TestDevice())
            let id = try await store.bind(device, to: alice)
            #expect(try await store.bind(device, to: alice) == id)
            let bobs = try device.binding(user: bob, code: try await store.newCode(for: bob))
            #expect(try await store.bind(bobs, consuming: Fixture.use()) == .keyTaken)
            let otherApp = try device.binding(
                user: alice, client: #require(ClientID(rawValue: "other")), code: try await store.newCode(for: alice))
            #expect(try await store.bind(otherApp, consuming: Fixture.use()) == .keyTaken)
            _ = try await store.revoke(id, of: alice)
            let again = try device.binding(user: alice, code: try await store.newCode(for: alice))
            #expect(try await store.bind(again, consuming: Fixture.use()) == .deviceStopped(.revoked))
        },

        StoreRequirement("One code used by 50 keys at once binds one of them") { store in
            let alice = try Fixture.alice()
            let code = try await store.newCode(for: alice)
            let outcomes = try await inParallel(50) {
                try await store.bind(TestDevice().binding(user: alice, code: code), consuming: Fixture.use())
            }
            #expect(outcomes.filter { $0 == .codeRefused }.count == 49)
            #expect(try await store.devices(of: alice).count == 1)
        },
    ]
}
