import NightlatchServer
import NightlatchWire
import Testing

@Suite("Audit log of a store")
struct AuditConformanceTests {
    @Test("RP7: what a store does stands in its log, in order, whole, and once", arguments: StoreKind.allCases)
    func events(kind: StoreKind) async throws {
        let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
        let device = TestDevice()
        try await kind.with { store in
            let id = try await store.bind(device, to: alice)
            let token = try await store.logIn(device, id: id, user: alice)
            let (_, second) = try await store.refresh(token, by: device)
            _ = try await store.refresh(second, by: device)
            let (reuse, _) = try await store.refresh(token, by: device)
            #expect(reuse == .reused)
            _ = try await store.revoke(id, of: bob, by: .operator)
            _ = try await store.revoke(id, of: alice, by: .operator)
            _ = try await store.revoke(id, of: alice, by: .operator)
            let entries = try await store.auditEntries(of: nil, before: nil, limit: 100)
            #expect(
                entries.reversed().map(\.event) == [
                    AuditEvent(.enrolmentCodeCreated, by: .backend, user: alice),
                    AuditEvent(.deviceBound, by: .device, user: alice, device: id),
                    AuditEvent(.loggedIn, by: .device, user: alice, device: id),
                    AuditEvent(.refreshTokenReused, by: .device, user: alice, device: id),
                    AuditEvent(.deviceRevoked, by: .operator, user: alice, device: id),
                ])
            #expect(entries.allSatisfy { $0.at == TestTime.current })
            try await expectWhole(store)
        }
    }

    @Test("What is refused writes no entry", arguments: StoreKind.allCases)
    func refused(kind: StoreKind) async throws {
        let alice = try Fixture.alice()
        let device = TestDevice()
        try await kind.with { store in
            let id = try await store.bind(device, to: alice)
            let use = Fixture.use()
            _ = try await store.recordLogin(try device.login(id: id, user: alice), consuming: use)
            let count = try await store.auditEntries(of: nil, before: nil, limit: 100).count
            _ = try await store.recordLogin(try device.login(id: id, user: alice), consuming: use)
            _ = try await store.recordLogin(try device.login(id: .random(), user: alice), consuming: Fixture.use())
            _ = try await store.refresh(StoredToken(), by: device)
            #expect(try await store.auditEntries(of: nil, before: nil, limit: 100).count == count)
        }
    }

    @Test("Entries come in pages, newest first, of one user or of all", arguments: StoreKind.allCases)
    func pages(kind: StoreKind) async throws {
        let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
        try await kind.with { store in
            for index in 1...25 {
                try await store.audit(
                    AuditEvent(.requestsRefused, by: .device, user: index % 5 == 0 ? bob : alice, count: index))
            }
            for (user, expected) in [
                (nil, Array((1...25).reversed())), (bob, [25, 20, 15, 10, 5]),
                (alice, (1...25).filter { $0 % 5 != 0 }.reversed()),
            ] as [(UserID?, [Int])] {
                var counts: [Int] = []
                var position: AuditPosition?
                while true {
                    let page = try await store.auditEntries(of: user, before: position, limit: 4)
                    guard let last = page.last else { break }
                    #expect(page.count <= 4)
                    counts += page.compactMap(\.event.count)
                    position = AuditPosition(of: last)
                }
                #expect(counts == expected)
            }
        }
    }

    @Test("Many at once leave one chain, without a gap", arguments: StoreKind.allCases)
    func parallel(kind: StoreKind) async throws {
        let alice = try Fixture.alice()
        try await kind.with { store in
            _ = try await inParallel(100) {
                try await store.audit(AuditEvent(.requestsRefused, by: .device, user: alice))
            }
            let heads = try await store.auditHeads()
            #expect(heads.map(\.sequence).reduce(0, +) == 100)
            try await expectWhole(store)
        }
    }

    private func expectWhole(_ store: any RelyingPartyStore) async throws {
        for head in try await store.auditHeads() {
            var verifier = AuditVerifier(chain: head.chain, heads: [head])
            var sequence = 0
            while true {
                let rows = try await store.auditRows(of: head.chain, after: sequence, limit: 3)
                guard let last = rows.last else { break }
                for row in rows { verifier.check(row) }
                sequence = last.sequence
            }
            #expect(verifier.finish().isEmpty && sequence == head.sequence)
        }
    }
}
