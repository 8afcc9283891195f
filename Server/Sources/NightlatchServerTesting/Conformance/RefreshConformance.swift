import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about refreshing and revoking that every store keeps.
package enum RefreshConformance {
    package static let requirements: [StoreRequirement] =
        [
            StoreRequirement(
                "Until its successor is used, a refresh token gives a new successor and invalidates the previous one"
            ) { store in
                let (alice, device) = (try Fixture.alice(), TestDevice())
                let id = try await store.bind(device, to: alice)
                let first = try await store.logIn(device, id: id, user: alice)
                let (_, lost) = try await store.refresh(first, by: device)
                let (again, second) = try await store.refresh(first, by: device)
                #expect(
                    again
                        == .rotated(
                            device: id, user: alice, client: .default, authentication: Fixture.authentication))
                let (next, third) = try await store.refresh(second, by: device)
                #expect(next.isRotated)
                #expect(try await store.refresh(lost, by: device).0 == .reused)
                #expect(try await store.refresh(third, by: device).0 == .refused)
            },

            StoreRequirement("A token used again after its successor was used revokes its own family only") { store in
                let (alice, device, tablet) = (try Fixture.alice(), TestDevice(), TestDevice())
                let id = try await store.bind(device, to: alice)
                let first = try await store.logIn(device, id: id, user: alice)
                let other = try await store.logIn(tablet, id: try await store.bind(tablet, to: alice), user: alice)
                let (_, second) = try await store.refresh(first, by: device)
                let (_, third) = try await store.refresh(second, by: device)
                #expect(try await store.refresh(first, by: device).0 == .reused)
                #expect(try await store.refresh(third, by: device).0 == .refused)
                #expect(try await store.refresh(other, by: tablet).0.isRotated)
            },

            StoreRequirement(
                "A refresh by another key, with an unknown token or with an idle one is refused and changes nothing"
            ) { store in
                let (alice, device) = (try Fixture.alice(), TestDevice())
                let id = try await store.bind(device, to: alice)
                let token = try await store.logIn(device, id: id, user: alice)
                #expect(try await store.refresh(token, by: TestDevice()).0 == .refused)
                for stranger in [StoredToken(of: id), StoredToken(of: .random())] {
                    #expect(try await store.refresh(stranger, by: device).0 == .refused)
                }
                try await TestTime.after(.seconds(30 * 24 * 60 * 60 + 1)) {
                    let (outcome, _) = try await store.refresh(token, by: device)
                    #expect(outcome == .refused)
                }
                #expect(try await store.refresh(token, by: device).0.isRotated)
            },

            StoreRequirement("A login replaces the device's tokens, and no other device's") { store in
                let (alice, device, tablet) = (try Fixture.alice(), TestDevice(), TestDevice())
                let id = try await store.bind(device, to: alice)
                let others = try await store.logIn(tablet, id: try await store.bind(tablet, to: alice), user: alice)
                let first = try await store.logIn(device, id: id, user: alice)
                let second = try await store.logIn(device, id: id, user: alice)
                #expect(try await store.refresh(first, by: device).0 == .refused)
                #expect(try await store.refresh(second, by: device).0.isRotated)
                #expect(try await store.refresh(others, by: tablet).0.isRotated)
            },

            StoreRequirement("A token is refused while its app is not allowed, and accepted again afterwards") {
                store in
                let (alice, device) = (try Fixture.alice(), TestDevice())
                let id = try await store.bind(device, to: alice)
                let token = try await store.logIn(device, id: id, user: alice)
                let other = try #require(ClientID(rawValue: "other"))
                #expect(try await store.refresh(token, by: device, clients: [other]).0 == .refused)
                #expect(try await store.refresh(token, by: device).0.isRotated)
            },

            StoreRequirement("An invented token of a family revokes that family, if presented with its key") { store in
                let (alice, device) = (try Fixture.alice(), TestDevice())
                let id = try await store.bind(device, to: alice)
                let token = try await store.logIn(device, id: id, user: alice)
                let invented = StoredToken(after: token)
                #expect(try await store.refresh(invented, by: TestDevice()).0 == .refused)
                #expect(try await store.refresh(token, by: device).0.isRotated)
                #expect(try await store.refresh(invented, by: device).0 == .reused)
                #expect(try await store.refresh(token, by: device).0 == .refused)
            },

            StoreRequirement("One refresh token presented 200 times at once leaves one usable successor") { store in
                let (alice, device) = (try Fixture.alice(), TestDevice())
                let id = try await store.bind(device, to: alice)
                let token = try await store.logIn(device, id: id, user: alice)
                let results = try await inParallel(200) { try await store.refresh(token, by: device) }
                #expect(results.allSatisfy { $0.0.isRotated })
                let (again, usable) = try await store.refresh(token, by: device)
                #expect(again.isRotated)
                #expect(try await store.refresh(usable, by: device).0.isRotated)
                let voided = try #require(results.randomElement()).1
                #expect(try await store.refresh(voided, by: device).0 == .reused)
            },

            StoreRequirement(
                "Revoking ends every refresh token of the device, affects no other device, and can be repeated"
            ) { store in
                let (alice, bob, lost, kept) = (try Fixture.alice(), try Fixture.bob(), TestDevice(), TestDevice())
                let lostID = try await store.bind(lost, to: alice)
                let keptID = try await store.bind(kept, to: alice)
                let lostToken = try await store.logIn(lost, id: lostID, user: alice)
                let keptToken = try await store.logIn(kept, id: keptID, user: alice)
                #expect(try await store.revoke(lostID, of: bob) == nil)
                let revoked = try #require(try await store.revoke(lostID, of: alice))
                #expect(revoked.revokedAt == TestTime.current)
                try await TestTime.after(.seconds(5)) {
                    let again = try await store.revoke(lostID, of: alice)
                    #expect(again == revoked)
                }
                #expect(try await store.refresh(lostToken, by: lost).0 == .refused)
                #expect(try await store.refresh(keptToken, by: kept).0.isRotated)
            },
        ] + [false, true].map(newPossessionKey)

    private static func newPossessionKey(_ byLogin: Bool) -> StoreRequirement {
        StoreRequirement(
            "A new possession key invalidates all tokens bound to the old one, after a \(byLogin ? "login" : "binding")"
        ) { store in
            let (alice, old) = (try Fixture.alice(), TestDevice())
            var new = old
            new.possession = .newEC()
            let id = try await store.bind(old, to: alice)
            let token = try await store.logIn(old, id: id, user: alice)
            #expect(try await store.bind(old, to: alice) == id)
            let (outcome, successor) = try await store.refresh(token, by: old)
            #expect(outcome.isRotated)

            if byLogin {
                _ = try await store.logIn(new, id: id, user: alice)
            } else {
                #expect(try await store.bind(new, to: alice) == id)
            }
            #expect(try await store.device(id, of: alice)?.possessionKey == new.possession.id)
            #expect(try await store.refresh(successor, by: old).0 == .refused)
            #expect(try await store.refresh(successor, by: new).0 == .refused)
        }
    }
}
