import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules that every store keeps about the acceptance of a restored copy.
package enum RestoreConformance {
    package static let requirements = [
        StoreRequirement(
            "Accepting a restore ends logins, sessions, grants, codes, journeys, transactions and remote logins"
        ) { store in
            let party = try await RemoteLoginParty(in: store)
            let (session, grant) = try await party.logIn(by: party.device)
            let login = try await party.confirmed()
            let hash = party.code()
            _ = try await store.completeRemoteLogin(
                TestRemoteLogin.completion(of: try await party.confirmed().id, code: hash))
            let device = TestDevice()
            let id = try await store.bind(device, to: party.user)
            let token = try await store.logIn(device, id: id, user: party.user)
            let code = try await store.newCode(for: party.user)
            let transaction = try TestTransaction.new(user: party.user)
            _ = try await store.createTransaction(transaction)
            let generation = try await store.journeyGeneration(of: party.user)

            let effects = try await store.acceptRestore()
            var expected = RestoreEffects()
            (expected.logins, expected.appGrants, expected.journeySessions) = (1, 2, 2)
            (expected.enrolmentCodes, expected.transactions, expected.remoteLogins) = (1, 1, 1)
            #expect(effects == expected)
            #expect(try await store.refresh(token, by: device).0 == .refused)
            #expect(try await store.journeySession(session) == nil)
            #expect(try await store.appGrant(grant.id, of: nil) == nil)
            #expect(try await party.redeem(hash) == .refused)
            #expect(try await store.remoteLogin(login.id) == nil)
            #expect(try await store.user(enrolledBy: code, deviceKey: TestKey.newEC().id) == nil)
            #expect(try await store.transaction(transaction.id)?.state == .voided)
            #expect(try await store.journeyGeneration(of: party.user) > generation)
            let events = try await party.events().filter { [.restoreAccepted, .transactionVoided].contains($0) }
            #expect(events == [.restoreAccepted, .transactionVoided])
        },

        StoreRequirement("Accepting a restore keeps devices, decided transactions and used codes, and can be repeated")
        {
            store in
            let (alice, device, key) = (try Fixture.alice(), TestDevice(), TestDevice())
            let code = try await store.newCode(for: alice)
            let bound = try await store.bind(key.binding(user: alice, code: code), consuming: Fixture.use())
            let id = try await store.bind(device, to: alice)
            _ = try await store.logIn(device, id: id, user: alice)
            let transaction = try TestTransaction.new(user: alice)
            _ = try await store.createTransaction(transaction)
            _ = try await store.decideTransaction(
                TestTransaction.decision(.confirm, on: transaction, by: id), consuming: Fixture.use())
            let devices = try await store.devices(of: alice)

            #expect(try await store.acceptRestore().logins == 1)
            #expect(try await store.acceptRestore() == RestoreEffects())
            #expect(try await store.devices(of: alice) == devices)
            #expect(try await store.transaction(transaction.id)?.state == .confirmed)
            #expect(
                try await store.bind(key.binding(user: alice, code: code), consuming: Fixture.use()) == bound)
            _ = try await store.logIn(device, id: id, user: alice)
        },

        StoreRequirement("Accepting a restore gives each policy a revision beyond the lost ones, in the same order") {
            store in
            let alice = try Fixture.alice()
            _ = try await store.newCode(for: alice)
            var policy = Policy()
            policy.hardware = .required
            for subject in [PolicySubject.user(alice), .app(.default)] {
                _ = try await store.setPolicy(policy, of: subject, replacing: nil, by: .backend)
            }
            let old = try await store.policies(of: .default, and: alice).sorted { $0.revision < $1.revision }
            try await TestTime.after(.seconds(9)) { () async throws in
                #expect(try await store.acceptRestore().policies == 2)
            }
            let new = try await store.policies(of: .default, and: alice).sorted { $0.revision < $1.revision }
            #expect(new.map(\.subject) == old.map(\.subject) && new.map(\.policy) == old.map(\.policy))
            #expect(new.map(\.changedBy) == [.backend, .backend] && new.map(\.changedAt) == old.map(\.changedAt))
            let revisions = new.map(\.revision.rawValue)
            #expect(revisions[0] >= old[1].revision.rawValue + 8000 && revisions[1] == revisions[0] + 1)
        },

        StoreRequirement("Accepting a restore revokes every API key, with an entry for each, and says how many") {
            store in
            let old = try await TestAPIKey.created("old", in: store)
            _ = try await store.revokeAPIKey(old.keyID, by: .operator)
            let revokedAt = try await store.apiKey(old.keyID)?.key.revokedAt
            let tokens = [
                try await TestAPIKey.created("shop", in: store),
                try await TestAPIKey.created("ended", expiresAt: TestTime.current, in: store),
            ]
            try await TestTime.after(.seconds(9)) { () async throws in
                #expect(try await store.acceptRestore().apiKeys == 2)
                #expect(try await store.acceptRestore() == RestoreEffects())
                for token in tokens {
                    let stored = try #require(try await store.apiKey(token.keyID))
                    #expect(stored.key.revokedAt == TestTime.current && !stored.accepts(token))
                }
            }
            #expect(try await store.apiKey(old.keyID)?.key.revokedAt == revokedAt)
            let events = try await store.auditEntries(
                matching: AuditFilter(kind: .apiKeyRevoked), before: nil, limit: 9
            ).map(\.event)
            #expect(Set(events.compactMap(\.apiKey)) == Set([old.keyID] + tokens.map(\.keyID)))
            #expect(Set(events.compactMap { $0.apiKeyName?.rawValue }) == ["old", "shop", "ended"])
            #expect(try await AuditSteps.findings(in: store).isEmpty)
        },

        StoreRequirement("A two-party PIN stays as it is, and the operator learns how many there are") { store in
            let pin = try await PinSteps.enrolled(in: store)
            #expect(try await store.acceptRestore().twoPartyPins == 1)
            _ = try await pin.charged(PinSteps.element(), epoch: 1, window: 1)
        },
    ]
}
