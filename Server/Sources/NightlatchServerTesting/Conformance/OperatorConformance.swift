import NightlatchRelyingParty
import NightlatchWire
import Testing

/// Operators of the console in every store.
package enum OperatorConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement("An operator is stored as it was added, and its user is created") { store in
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            #expect(try await store.operators() == [])
            #expect(try await store.operatorRecord(of: alice) == nil)
            _ = try await store.newCode(for: alice)
            for (user, role) in [(bob, OperatorRole.owner), (alice, .viewer)] {
                let expected = try person(user, role)
                #expect(try await add(user, role, in: store) == .stored(expected))
                // Repeated after a lost answer.
                try await TestTime.after(.seconds(5)) { () async throws in
                    #expect(try await add(user, role, in: store) == .stored(expected))
                }
                #expect(try await store.operatorRecord(of: user) == expected)
                #expect(try await store.user(user) != nil)
            }
            #expect(try await store.operators() == [person(alice, .viewer), person(bob, .owner)])
            #expect(try await add(alice, .owner, in: store) == .alreadyOperator(person(alice, .viewer)))
            let other = try await store.changeOperator(
                .add(name: name(bob), role: .owner), of: try #require(UserID(rawValue: "carol")), keepingOwner: true,
                by: .operator)
            #expect(other == .nameTaken)
            #expect(try await store.user(try #require(UserID(rawValue: "carol"))) == nil)
        },

        StoreRequirement("The enrolment codes that a new operator had before are refused") { store in
            let alice = try Fixture.alice()
            let old = try await store.newCode(for: alice)
            _ = try await add(alice, .owner, in: store)
            let device = TestDevice()
            #expect(try await store.user(enrolledBy: old, deviceKey: device.key.id) == nil)
            let new = try await store.newCode(for: alice)
            #expect(try await store.user(enrolledBy: new, deviceKey: device.key.id) == alice)
            _ = try await change(alice, to: .security, in: store)
            #expect(try await store.user(enrolledBy: new, deviceKey: device.key.id) == alice)
        },

        StoreRequirement("A change keeps the other members, and a removed operator is gone at once") { store in
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            #expect(try await change(alice, to: .owner, in: store) == .noSuchOperator)
            #expect(try await remove(alice, in: store) == .noSuchOperator)
            _ = try await add(alice, .owner, in: store)
            _ = try await add(bob, .viewer, in: store)
            try await TestTime.after(.seconds(9)) { () async throws in
                #expect(try await change(bob, to: .support, in: store) == .stored(person(bob, .support)))
                let renamed = try await store.changeOperator(
                    .change(name: try named("Robert"), role: nil), of: bob, keepingOwner: true, by: .operator)
                #expect(
                    renamed
                        == .stored(
                            Operator(user: bob, name: try named("Robert"), role: .support, addedAt: TestTime.current)))
            }
            let taken = try await store.changeOperator(
                .change(name: name(alice), role: nil), of: bob, keepingOwner: true, by: .operator)
            #expect(taken == .nameTaken)
            guard case .removed(let removed) = try await remove(bob, in: store) else {
                Issue.record("not removed")
                return
            }
            #expect(removed.name.rawValue == "Robert")
            #expect(try await store.operatorRecord(of: bob) == nil)
            #expect(try await remove(bob, in: store) == .noSuchOperator)
            #expect(try await store.user(bob) != nil)
            // The name is free again.
            let carol = try #require(UserID(rawValue: "carol"))
            let added = try await store.changeOperator(
                .add(name: try named("Robert"), role: .viewer), of: carol, keepingOwner: true, by: .operator)
            #expect(added == .stored(Operator(user: carol, name: try named("Robert"), role: .viewer, addedAt: TestTime.current)))
        },

        StoreRequirement("The last owner stays, unless the caller may do without one") { store in
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            _ = try await add(alice, .owner, in: store)
            _ = try await add(bob, .security, in: store)
            #expect(try await change(alice, to: .security, in: store) == .lastOwner)
            #expect(try await remove(alice, in: store) == .lastOwner)
            #expect(try await change(bob, to: .owner, in: store) == .stored(person(bob, .owner)))
            #expect(try await change(alice, to: .security, in: store) == .stored(person(alice, .security)))
            #expect(try await remove(bob, in: store) == .lastOwner)
            let forced = try await store.changeOperator(.remove, of: bob, keepingOwner: false, by: .operator)
            #expect(forced == .removed(try person(bob, .owner)))
            #expect(try await store.operators().map(\.role) == [.security])
        },

        StoreRequirement("If all owners leave at the same time, one stays") { store in
            for round in 0..<5 {
                let users = try (0..<4).map { try #require(UserID(rawValue: "owner \(round) \($0)")) }
                for user in users { _ = try await add(user, .owner, in: store) }
                let outcomes = try await withThrowingTaskGroup(of: OperatorChangeOutcome.self) { group in
                    for (index, user) in users.enumerated() {
                        group.addTask {
                            index.isMultiple(of: 2)
                                ? try await remove(user, in: store) : try await change(user, to: .viewer, in: store)
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(outcomes.count { $0 == .lastOwner } == 1)
                let left = try await store.operators()
                #expect(left.count { $0.role == .owner } == 1)
                for person in left {
                    _ = try await store.changeOperator(.remove, of: person.user, keepingOwner: false, by: .operator)
                }
            }
        },

        StoreRequirement("Of many who add operators of one name at once, one does") { store in
            let users = try (0..<6).map { try #require(UserID(rawValue: "user \($0)")) }
            let outcomes = try await withThrowingTaskGroup(of: OperatorChangeOutcome.self) { group in
                for user in users {
                    group.addTask {
                        try await store.changeOperator(
                            .add(name: try named("Alice"), role: .owner), of: user, keepingOwner: true, by: .operator)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == .nameTaken } == 5)
            #expect(try await store.operators().count == 1)
        },

        StoreRequirement("There are at most 200 operators") { store in
            for number in 0..<Operator.countLimit {
                _ = try await add(try #require(UserID(rawValue: "user \(number)")), .viewer, in: store)
            }
            #expect(try await add(Fixture.alice(), .owner, in: store) == .tooMany)
            #expect(try await store.user(Fixture.alice()) == nil)
        },

        StoreRequirement("A deleted user is no operator, also at the same time as a change") { store in
            let reason = try #require(AuditReason(rawValue: "ticket 4711"))
            for round in 0..<5 {
                let user = try #require(UserID(rawValue: "user \(round)"))
                _ = try await add(user, .owner, in: store)
                async let deletion = store.deleteUser(user, by: .operator, because: reason)
                async let changed = store.changeOperator(
                    .change(name: nil, role: .viewer), of: user, keepingOwner: false, by: .operator)
                _ = try await (deletion, changed)
                #expect(try await store.operatorRecord(of: user) == nil)
                #expect(try await store.user(user) == nil)
            }
            #expect(try await AuditSteps.findings(in: store).isEmpty)
        },

        StoreRequirement("The log names the operator who is added, changed or removed, and the one who does it") { store in
            let alice = try Fixture.alice()
            let acting = ActingParty(.operator, name: try named("Olga"))
            let reason = try #require(AuditReason(rawValue: "ticket 4711"))
            for _ in 0..<2 {
                _ = try await store.changeOperator(
                    .add(name: try named("Alice"), role: .owner), of: alice, keepingOwner: true, by: acting)
            }
            for _ in 0..<2 {
                _ = try await store.changeOperator(
                    .change(name: try named("Alice B."), role: .support), of: alice, keepingOwner: false, by: acting.giving(reason))
            }
            for _ in 0..<2 {
                _ = try await store.changeOperator(
                    .remove, of: alice, keepingOwner: false, by: acting.giving(reason))
            }
            let events = try await store.auditEntries(of: alice, before: nil, limit: 9).map(\.event)
            #expect(events.map(\.kind) == [.operatorRemoved, .operatorChanged, .operatorAdded])
            #expect(events.allSatisfy { $0.actor == acting && $0.user == alice })
            #expect(events.map(\.reason) == [reason, reason, nil])
            #expect(events.map { $0.operatorName?.rawValue } == ["Alice B.", "Alice B.", "Alice"])
            #expect(events.map(\.role) == [.support, .support, .owner])
            #expect(try await AuditSteps.findings(in: store).isEmpty)
        },
    ]

    private static func named(_ text: String) throws -> PartyName { try #require(PartyName(rawValue: text)) }

    private static func name(_ user: UserID) throws -> PartyName {
        try #require(PartyName(rawValue: "name of \(user.rawValue)"))
    }

    private static func person(_ user: UserID, _ role: OperatorRole) throws -> Operator {
        Operator(user: user, name: try name(user), role: role, addedAt: TestTime.current)
    }

    private static func add(
        _ user: UserID, _ role: OperatorRole, in store: any RelyingPartyStore
    ) async throws -> OperatorChangeOutcome {
        try await store.changeOperator(
            .add(name: name(user), role: role), of: user, keepingOwner: true, by: .operator)
    }

    private static func change(
        _ user: UserID, to role: OperatorRole, in store: any RelyingPartyStore
    ) async throws -> OperatorChangeOutcome {
        try await store.changeOperator(.change(name: nil, role: role), of: user, keepingOwner: true, by: .operator)
    }

    private static func remove(
        _ user: UserID, in store: any RelyingPartyStore
    ) async throws -> OperatorChangeOutcome {
        try await store.changeOperator(.remove, of: user, keepingOwner: true, by: .operator)
    }
}
