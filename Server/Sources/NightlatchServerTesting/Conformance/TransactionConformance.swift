import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about transactions that every store keeps.
package enum TransactionConformance {
    package static let requirements: [StoreRequirement] =
        [
            StoreRequirement("A transaction is recorded as created, and creating it again changes nothing") { store in
                let (alice, _, device) = try await aliceWithDevice(in: store)
                let new = try TestTransaction.new(user: alice, addressees: .devices([device]))
                let expected = RecordedTransaction(
                    id: new.id, user: alice, addressees: .devices([device]), details: new.details, state: .pending,
                    createdAt: TestTime.current)
                #expect(try await store.createTransaction(new) == .created(expected))
                try await TestTime.after(.seconds(60)) { () async throws in
                    #expect(try await store.createTransaction(new) == .created(expected))
                }
                #expect(try await store.transaction(new.id) == expected)
                #expect(try await store.transactions(of: alice, endedLimit: 10) == [expected])
                #expect(try await store.transactions(of: Fixture.bob(), endedLimit: 10) == [])
                #expect(try await store.transaction(.random()) == nil)
            },

            StoreRequirement("A transaction's id cannot be used again with any other member") { store in
                let (alice, _, device) = try await aliceWithDevice(in: store)
                let new = try TestTransaction.new(user: alice)
                _ = try await store.createTransaction(new)
                _ = try await store.newCode(for: Fixture.bob())
                var others = try TestTransaction.changedDetails().map {
                    try TestTransaction.new(id: new.id, user: alice, details: $0)
                }
                others.append(try TestTransaction.new(id: new.id, user: Fixture.bob()))
                others.append(try TestTransaction.new(id: new.id, user: alice, addressees: .devices([device])))
                for other in others { #expect(try await store.createTransaction(other) == .idTaken) }
                #expect(try await store.transaction(new.id)?.details.hash == new.details.hash)
            },

            StoreRequirement("A transaction for an unknown or revoked device is refused") { store in
                let (alice, _, device) = try await aliceWithDevice(in: store)
                let bobs = try await store.bind(TestDevice(), to: Fixture.bob())
                let revoked = try await store.bind(TestDevice(), to: alice)
                _ = try await store.revoke(revoked, of: alice)
                for addressees in [
                    TransactionAddressees.devices([bobs]), .devices([device, bobs]), .devices([revoked]),
                    .devices([.random()]),
                ] {
                    let new = try TestTransaction.new(user: alice, addressees: addressees)
                    #expect(try await store.createTransaction(new) == .addresseeUnknown)
                }
                let stranger = try #require(UserID(rawValue: "stranger"))
                #expect(try await store.createTransaction(TestTransaction.new(user: stranger)) == .addresseeUnknown)
            },

            StoreRequirement("A transaction that has already expired, or would live too long, is not recorded") {
                store in
                let (alice, _, _) = try await aliceWithDevice(in: store)
                for (seconds, isGood) in [(-1, false), (0, true), (3600, true), (3601, false)] {
                    let new = try TestTransaction.new(
                        user: alice, details: TestTransaction.details(expiresAt: TestTime.current + .seconds(seconds)),
                        longestLife: .seconds(3600))
                    let outcome = try await store.createTransaction(new)
                    #expect((outcome == .expiryRefused) == !isGood)
                    #expect((try await store.transaction(new.id) != nil) == isGood)
                }
            },

            StoreRequirement("A user cannot exceed the limit of pending transactions, and ended ones make room") {
                store in
                let (alice, _, device) = try await aliceWithDevice(in: store)
                let news = try (0..<6).map { _ in try TestTransaction.new(user: alice, pendingLimit: 3) }
                for new in news.prefix(3) {
                    guard case .created = try await store.createTransaction(new) else {
                        Issue.record("not created")
                        return
                    }
                }
                #expect(try await store.createTransaction(news[3]) == .tooMany)
                // A transaction that already exists does not count as a new one.
                #expect(try await store.createTransaction(news[0]) != .tooMany)
                _ = try await store.voidTransaction(news[0].id, by: .backend)
                _ = try await store.decideTransaction(
                    decision(.reject, on: news[1], by: device), consuming: Fixture.use())
                for new in news[3...4] { #expect(try await store.createTransaction(new) != .tooMany) }
                #expect(try await store.createTransaction(news[5]) == .tooMany)
                try await TestTime.after(.seconds(601)) { () async throws in
                    let late = try TestTransaction.new(
                        user: alice, details: TestTransaction.details(expiresAt: TestTime.current + .seconds(1)),
                        pendingLimit: 1)
                    #expect(try await store.createTransaction(late) != .tooMany)
                }
            },

            StoreRequirement("A decision on changed details is refused") { store in
                let (alice, _, id) = try await aliceWithDevice(in: store)
                let new = try TestTransaction.new(user: alice)
                _ = try await store.createTransaction(new)
                for details in try TestTransaction.changedDetails() {
                    let use = Fixture.use()
                    #expect(
                        try await store.decideTransaction(
                            decision(.confirm, on: new, by: id, details: details), consuming: use)
                            == .detailsDiffer)
                }
                #expect(try await store.transaction(new.id)?.state == .pending)
                #expect(
                    try await store.decideTransaction(decision(.confirm, on: new, by: id), consuming: Fixture.use())
                        == .recorded(.confirmed))
            },

            StoreRequirement("Only an addressed device that is not revoked can decide") { store in
                let (alice, _, id) = try await aliceWithDevice(in: store)
                let (bob, other, revoked) = (
                    try Fixture.bob(), try await store.bind(TestDevice(), to: alice),
                    try await store.bind(TestDevice(), to: alice)
                )
                let bobs = try await store.bind(TestDevice(), to: bob)
                let new = try TestTransaction.new(user: alice, addressees: .devices([id, revoked]))
                _ = try await store.createTransaction(new)
                _ = try await store.revoke(revoked, of: alice)
                func outcome(_ device: DeviceID, _ user: UserID) async throws -> DecisionOutcome {
                    try await store.decideTransaction(
                        decision(.confirm, on: new, by: device, user: user), consuming: Fixture.use())
                }
                #expect(try await outcome(other, alice) == .noSuchTransaction)
                #expect(try await outcome(bobs, bob) == .noSuchTransaction)
                #expect(try await outcome(bobs, alice) == .noSuchTransaction)
                #expect(try await outcome(.random(), alice) == .noSuchTransaction)
                #expect(try await outcome(revoked, alice) == .deviceStopped(.revoked))
                #expect(try await store.transaction(new.id)?.state == .pending)
                #expect(try await outcome(id, alice) == .recorded(.confirmed))
            },

            StoreRequirement(
                "A transaction can be decided until its last second by the store's clock, and not later"
            ) { store in
                let (alice, _, id) = try await aliceWithDevice(in: store)
                let news = try (0..<2).map { _ in try TestTransaction.new(user: alice) }
                for new in news { _ = try await store.createTransaction(new) }
                try await TestTime.after(.seconds(600)) { () async throws in
                    let use = ChallengeUse(
                        challenge: .random(), message: Fixture.hash(), expiresAt: TestTime.current + .seconds(120))
                    #expect(
                        try await store.decideTransaction(decision(.confirm, on: news[0], by: id), consuming: use)
                            == .recorded(.confirmed))
                    #expect(try await store.transaction(news[1].id)?.state == .pending)
                }
                try await TestTime.after(.seconds(601)) { () async throws in
                    let use = ChallengeUse(
                        challenge: .random(), message: Fixture.hash(), expiresAt: TestTime.current + .seconds(120))
                    #expect(
                        try await store.decideTransaction(decision(.confirm, on: news[1], by: id), consuming: use)
                            == .ended(.expired))
                    #expect(try await store.transaction(news[1].id)?.state == .expired)
                    #expect(try await store.voidTransaction(news[1].id, by: .backend) == .ended(.expired))
                    #expect(try await store.transaction(news[0].id)?.state == .confirmed)
                }
            },

            StoreRequirement("A challenge that has expired, or was used for a login, decides nothing") { store in
                let (alice, device, id) = try await aliceWithDevice(in: store)
                let new = try TestTransaction.new(user: alice)
                _ = try await store.createTransaction(new)
                let use = Fixture.use()
                _ = try await store.recordLogin(device.login(id: id, user: alice), consuming: use)
                let other = Fixture.use(use.challenge)
                #expect(
                    try await store.decideTransaction(decision(.confirm, on: new, by: id), consuming: other)
                        == .challengeUsed)
                let late = Fixture.use()
                try await TestTime.after(.seconds(121)) { () async throws in
                    #expect(
                        try await store.decideTransaction(decision(.confirm, on: new, by: id), consuming: late)
                            == .challengeExpired)
                }
                #expect(try await store.transaction(new.id)?.state == .pending)
            },

            StoreRequirement("A transaction is withdrawn once, and the withdrawal is final") { store in
                let (alice, _, id) = try await aliceWithDevice(in: store)
                let new = try TestTransaction.new(user: alice)
                _ = try await store.createTransaction(new)
                let outcome = try await store.voidTransaction(new.id, by: .backend)
                guard case .voided(let voided) = outcome else {
                    Issue.record("\(outcome)")
                    return
                }
                #expect(voided.state == .voided && voided.endedAt == TestTime.current && voided.proof == nil)
                try await TestTime.after(.seconds(1)) { () async throws in
                    #expect(try await store.voidTransaction(new.id, by: .backend) == outcome)
                }
                #expect(
                    try await store.decideTransaction(decision(.confirm, on: new, by: id), consuming: Fixture.use())
                        == .ended(.voided))
                #expect(try await store.createTransaction(new) == .created(voided))
                #expect(try await store.voidTransaction(.random(), by: .backend) == .noSuchTransaction)
            },

            StoreRequirement("A list has all pending transactions and the newest ended ones") { store in
                let (alice, _, _) = try await aliceWithDevice(in: store)
                var ids: [TransactionID] = []
                for second in 0..<6 {
                    try await TestTime.after(.seconds(second)) { () async throws in
                        let new = try TestTransaction.new(user: alice)
                        _ = try await store.createTransaction(new)
                        if second % 2 == 0 { _ = try await store.voidTransaction(new.id, by: .backend) }
                        ids.append(new.id)
                    }
                }
                #expect(
                    try await store.transactions(of: alice, endedLimit: 2).map(\.id) == [1, 2, 3, 4, 5].map { ids[$0] })
                #expect(try await store.transactions(of: alice, endedLimit: 0).map(\.id) == [1, 3, 5].map { ids[$0] })
                try await TestTime.after(.seconds(601)) { () async throws in
                    #expect(try await store.transactions(of: alice, endedLimit: 4).map(\.id) == ids.suffix(4))
                }
            },

            StoreRequirement("200 concurrent decisions and withdrawals leave one outcome") { store in
                let (alice, _, id) = try await aliceWithDevice(in: store)
                let new = try TestTransaction.new(user: alice)
                _ = try await store.createTransaction(new)
                let won = try await withThrowingTaskGroup(of: TransactionState?.self) { group in
                    for index in 0..<200 {
                        group.addTask {
                            switch index % 3 {
                            case 0:
                                guard case .voided = try await store.voidTransaction(new.id, by: .backend) else {
                                    return nil
                                }
                                return .voided
                            default:
                                let decision = decision(index % 3 == 1 ? .confirm : .reject, on: new, by: id)
                                guard
                                    case .recorded(let state) = try await store.decideTransaction(
                                        decision, consuming: Fixture.use())
                                else { return nil }
                                return state
                            }
                        }
                    }
                    return try await group.reduce(into: [TransactionState]()) { won, state in
                        if let state { won.append(state) }
                    }
                }
                let state = try #require(try await store.transaction(new.id)?.state)
                #expect(Set(won) == [state])
                #expect(state == .voided || won.count == 1)
            },

            StoreRequirement("A transaction created 100 times at once is recorded once") { store in
                let (alice, _, _) = try await aliceWithDevice(in: store)
                let new = try TestTransaction.new(user: alice, pendingLimit: 1)
                let outcomes = try await inParallel(100) { try await store.createTransaction(new) }
                #expect(Set(outcomes).count == 1 && outcomes[0] != .tooMany)
                #expect(try await store.transactions(of: alice, endedLimit: 10).count == 1)
            },

            StoreRequirement("A transaction and its proof are kept for 90 days after its expiry") { store in
                let (alice, _, id) = try await aliceWithDevice(in: store)
                let new = try TestTransaction.new(user: alice)
                _ = try await store.createTransaction(new)
                _ = try await store.decideTransaction(decision(.confirm, on: new, by: id), consuming: Fixture.use())
                let end = Duration.seconds(600 + 90 * 24 * 60 * 60)
                try await TestTime.after(end) { () async throws in
                    try await store.purgeExpired()
                    #expect(try await store.transaction(new.id)?.proof != nil)
                }
                try await TestTime.after(end + .seconds(1)) { () async throws in
                    try await store.purgeExpired()
                    #expect(try await store.transaction(new.id) == nil)
                }
            },
        ] + TransactionDecision.allCases.map(decide)

    private static func decide(_ way: TransactionDecision) -> StoreRequirement {
        StoreRequirement(
            "A decision is recorded once, with its message and the key: \(way)"
        ) { store in
            let (alice, device, id) = try await aliceWithDevice(in: store)
            let new = try TestTransaction.new(user: alice)
            _ = try await store.createTransaction(new)
            let use = Fixture.use()
            let first = decision(way, on: new, by: id, message: "first")
            try await TestTime.after(.seconds(30)) { () async throws in
                #expect(try await store.decideTransaction(first, consuming: use) == .recorded(way.state))
            }
            let recorded = try #require(try await store.transaction(new.id))
            #expect(recorded.state == way.state)
            #expect(recorded.endedAt == TestTime.current + .seconds(30))
            #expect(recorded.proof == DecisionProof(device: id, key: try device.key.jwk, message: "first"))
            // Tries the same message again, another message with the same challenge, and another challenge.
            #expect(try await store.decideTransaction(first, consuming: use) == .recorded(way.state))
            #expect(
                try await store.decideTransaction(first, consuming: Fixture.use(use.challenge)) == .challengeUsed)
            for other in TransactionDecision.allCases {
                #expect(
                    try await store.decideTransaction(decision(other, on: new, by: id), consuming: Fixture.use())
                        == .ended(way.state))
            }
            #expect(try await store.voidTransaction(new.id, by: .backend) == .ended(way.state))
            #expect(try await store.transaction(new.id) == recorded)
        }
    }

    /// Runs `body` with a store that has a device of alice.
    private static func aliceWithDevice(
        in store: any RelyingPartyStore
    ) async throws -> (UserID, TestDevice, DeviceID) {
        let (alice, device) = (try Fixture.alice(), TestDevice())
        return (alice, device, try await store.bind(device, to: alice))
    }

    private static func decision(
        _ decision: TransactionDecision,
        on transaction: NewTransaction,
        by device: DeviceID,
        user: UserID? = nil,
        details: TransactionDetails? = nil,
        message: String = "a.b.c"
    ) -> NewDecision {
        NewDecision(
            transaction: transaction.id, user: user ?? transaction.user, device: device, decision: decision,
            detailsHash: (details ?? transaction.details).hash, message: message)
    }
}
