import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about the audit log that every store keeps.
package enum AuditConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement("Every operation of the store is in its log, in order, complete and once") { store in
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            let device = TestDevice()
            let code = try await store.newCode(for: alice)
            let id = try await TestTime.after(.seconds(1)) { () async throws in
                let outcome = try await store.bind(
                    device.binding(user: alice, code: code), consuming: Fixture.use())
                guard case .bound(let id) = outcome else { throw StepFailed(outcome: "\(outcome)") }
                return id
            }
            let news = try (0..<3).map { _ in try TestTransaction.new(user: alice) }
            for (index, new) in news.enumerated() {
                try await TestTime.after(.seconds(2 + index)) { () async throws in
                    _ = try await store.createTransaction(new)
                    _ = try await store.createTransaction(new)
                }
            }
            for (index, way) in [TransactionDecision.confirm, .reject].enumerated() {
                try await TestTime.after(.seconds(5 + index)) { () async throws in
                    let decision = TestTransaction.decision(way, on: news[index], by: id)
                    let use = Fixture.use()
                    _ = try await store.decideTransaction(decision, consuming: use)
                    _ = try await store.decideTransaction(decision, consuming: use)
                    _ = try await store.voidTransaction(news[index].id, by: .backend)
                }
            }
            try await TestTime.after(.seconds(7)) { () async throws in
                _ = try await store.voidTransaction(news[2].id, by: .operator)
                _ = try await store.voidTransaction(news[2].id, by: .backend)
            }
            let token = try await TestTime.after(.seconds(8)) { try await store.logIn(device, id: id, user: alice) }
            try await TestTime.after(.seconds(9)) { () async throws in
                let (_, second) = try await store.refresh(token, by: device)
                _ = try await store.refresh(second, by: device)
                let (reuse, _) = try await store.refresh(token, by: device)
                #expect(reuse == .reused)
            }
            let last = try await TestTime.after(.seconds(10)) { try await store.logIn(device, id: id, user: alice) }
            try await TestTime.after(.seconds(11)) { () async throws in
                for key in try [TestKey.newEC().id, device.possession.id, device.possession.id] {
                    _ = try await store.revokeRefreshFamily(last.family, possessionKey: key)
                }
            }
            try await TestTime.after(.seconds(12)) { () async throws in
                _ = try await store.revoke(id, of: bob, by: .operator)
                _ = try await store.revoke(id, of: alice, by: .operator)
                _ = try await store.revoke(id, of: alice, by: .operator)
            }
            let entries = try await store.auditEntries(of: nil, before: nil, limit: 100)
            #expect(
                entries.reversed().map(\.event) == [
                    AuditEvent(.enrolmentCodeCreated, by: .backend, user: alice),
                    AuditEvent(.deviceBound, by: .device, user: alice, device: id),
                    AuditEvent(.transactionCreated, by: .backend, user: alice, transaction: news[0].id),
                    AuditEvent(.transactionCreated, by: .backend, user: alice, transaction: news[1].id),
                    AuditEvent(.transactionCreated, by: .backend, user: alice, transaction: news[2].id),
                    AuditEvent(.transactionConfirmed, by: .device, user: alice, device: id, transaction: news[0].id),
                    AuditEvent(.transactionRejected, by: .device, user: alice, device: id, transaction: news[1].id),
                    AuditEvent(.transactionVoided, by: .operator, user: alice, transaction: news[2].id),
                    AuditEvent(.loggedIn, by: .device, user: alice, device: id),
                    AuditEvent(.refreshTokenReused, by: .device, user: alice, device: id),
                    AuditEvent(.loggedIn, by: .device, user: alice, device: id),
                    AuditEvent(.loggedOut, by: .device, user: alice, device: id),
                    AuditEvent(.deviceRevoked, by: .operator, user: alice, device: id),
                ])
            #expect(entries.reversed().map(\.at) == (0...12).map { TestTime.start + .seconds($0) })
            try await expectWhole(store)
        },

        StoreRequirement("The operations of journeys are in the log, with the signed claims") { store in
            let alice = try Fixture.alice()
            let device = try TestJourneys.device(of: alice)
            let claims = #"{"amount":"100.00","note":"“quoted” \" and \\"}"#
            _ = try await store.newCode(for: alice)
            let session = TestJourneys.session(of: alice, by: device.id)
            let signing = JourneySigning(key: device.id, user: alice, claims: claims)
            let steps: [JourneyStep] = [
                TestJourneys.binding(device),
                JourneyStep(use: TestJourneys.use(), signings: [signing], session: session),
            ]
            for (index, step) in steps.enumerated() {
                try await TestTime.after(.seconds(1 + index)) { () async throws in
                    for _ in 0..<2 { _ = try await store.recordJourneyStep(step) }
                }
            }
            try await TestTime.after(.seconds(3)) { () async throws in
                for _ in 0..<2 {
                    _ = try await store.removeJourneyDevice(
                        device.id, of: alice, by: .backend, keeping: session.token)
                }
            }
            let events = try await store.auditEntries(of: alice, before: nil, limit: 100).map(\.event)
            #expect(
                events.map(\.kind) == [
                    .journeyDeviceRemoved, .journeyLoggedIn, .journeySigned, .journeyDeviceBound, .enrolmentCodeCreated,
                ])
            #expect(events.map(\.journeyKey) == [device.id, device.id, device.id, device.id, nil])
            #expect(events.map(\.actor) == [.backend, .user, .device, .device, .backend])
            #expect(events.compactMap(\.claims) == [claims])
            try await expectWhole(store)
        },

        StoreRequirement("The log records when signing keys are added and forgotten") { store in
            let key = try Fixture.signingKey()
            for _ in 0..<2 { _ = try await store.addSigningKey(key, after: nil) }
            try await TestTime.after(.seconds(1)) { () async throws in
                for _ in 0..<2 { _ = try await store.forgetSigningKeys() }
            }
            #expect(
                try await store.auditEntries(of: nil, before: nil, limit: 100).map(\.event) == [
                    AuditEvent(.signingKeysForgotten, by: .operator, count: 1),
                    AuditEvent(.signingKeyAdded, by: .server),
                ])
        },

        StoreRequirement("A refused operation writes no entry") { store in
            let alice = try Fixture.alice()
            let device = TestDevice()
            let id = try await store.bind(device, to: alice)
            let use = Fixture.use()
            _ = try await store.recordLogin(try device.login(id: id, user: alice), consuming: use)
            let new = try TestTransaction.new(user: alice)
            _ = try await store.createTransaction(new)
            _ = try await store.voidTransaction(new.id, by: .backend)
            let count = try await store.auditEntries(of: nil, before: nil, limit: 100).count
            _ = try await store.recordLogin(try device.login(id: id, user: alice), consuming: use)
            _ = try await store.recordLogin(try device.login(id: .random(), user: alice), consuming: Fixture.use())
            _ = try await store.refresh(StoredToken(of: id), by: device)
            _ = try await store.createTransaction(
                TestTransaction.new(id: new.id, user: alice, addressees: .devices([id])))
            _ = try await store.decideTransaction(
                TestTransaction.decision(.confirm, on: new, by: id), consuming: Fixture.use())
            _ = try await store.voidTransaction(.random(), by: .backend)
            #expect(try await store.auditEntries(of: nil, before: nil, limit: 100).count == count)
        },

        StoreRequirement("Entries are returned in pages, newest first, of one user or of all") { store in
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            // Several entries have the same second, and may belong to several chains.
            for index in 0..<25 {
                try await TestTime.after(.seconds(index / 9)) { () async throws in
                    try await store.audit(
                        AuditEvent(.requestsRefused, by: .device, user: index % 5 == 0 ? bob : alice, count: index))
                }
            }
            let all = try await rows(of: store).map { try #require(AuditEntry($0)) }
                .sorted { AuditPosition(of: $0) > AuditPosition(of: $1) }
            #expect(Set(all.compactMap(\.event.count)) == Set(0..<25) && all.count == 25)
            for user in [nil, alice, bob] {
                var entries: [AuditEntry] = []
                // Ends: with the empty page after the last entry.
                while true {
                    let page = try await store.auditEntries(
                        of: user, before: entries.last.map(AuditPosition.init), limit: 4)
                    #expect(page.count <= 4)
                    if page.isEmpty { break }
                    entries += page
                }
                #expect(entries == all.filter { user == nil || $0.event.user == user })
            }
        },

        StoreRequirement("Concurrent entries leave whole chains without a gap") { store in
            let alice = try Fixture.alice()
            _ = try await inParallel(100) {
                try await store.audit(AuditEvent(.requestsRefused, by: .device, user: alice))
            }
            let heads = try await store.auditHeads()
            #expect(heads.map(\.sequence).reduce(0, +) == 100)
            try await expectWhole(store)
        },
    ]

    private static func expectWhole(_ store: any RelyingPartyStore) async throws {
        #expect(try await AuditSteps.findings(in: store).isEmpty)
    }

    private static func rows(of store: any RelyingPartyStore) async throws -> [AuditRow] {
        var rows: [AuditRow] = []
        for head in try await store.auditHeads() { rows += try await AuditSteps.rows(of: head.chain, in: store) }
        return rows
    }
}
