import NightlatchRelyingParty
import NightlatchWire
import Testing

/// Policies of apps and users in every store.
package enum PolicyConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement("A policy is stored as it was set, with the party and the time, for one subject") { store in
            let alice = try Fixture.alice()
            _ = try await store.newCode(for: alice)
            let subjects: [PolicySubject] = [.user(alice), .app(.default), .app(try app("alice"))]
            #expect(try await store.policies(of: .default, and: alice).isEmpty)
            for (index, subject) in subjects.enumerated() {
                let outcome = try await store.setPolicy(
                    policy(4 + index), of: subject, replacing: nil, by: index == 0 ? .operator : .backend)
                guard case .stored(let stored?) = outcome else {
                    Issue.record("\(outcome)")
                    return
                }
                #expect(stored.subject == subject && stored.policy == policy(4 + index))
                #expect(stored.changedAt == TestTime.current && stored.changedBy == (index == 0 ? .operator : .backend))
                #expect(try await store.policies(of: subject.client, and: subject.user) == [stored])
            }
            let both = try await store.policies(of: .default, and: alice)
            #expect(both.count == 2 && Set(both.map(\.subject)) == [.app(.default), .user(alice)])
            #expect(try await store.policies(of: nil, and: nil).isEmpty)
            #expect(try await store.policies(of: nil, and: try Fixture.bob()).isEmpty)
        },

        StoreRequirement("No two changes of policies have the same revision, and each has a greater one") { store in
            let alice = try Fixture.alice()
            _ = try await store.newCode(for: alice)
            var last = PolicyRevision.first
            for digits in 4...9 {
                for subject in [PolicySubject.user(alice), .app(.default)] {
                    let outcome = try await store.setPolicy(policy(digits), of: subject, replacing: nil, by: .operator)
                    guard case .stored(let stored?) = outcome else {
                        Issue.record("\(outcome)")
                        return
                    }
                    #expect(stored.revision > last)
                    #expect(stored.revision.rawValue >= TestTime.current.secondsSince1970 * 1000)
                    last = stored.revision
                }
            }
        },

        StoreRequirement("Callers who change policies at the same time get different revisions") { store in
            let subjects = try (0..<8).map { PolicySubject.app(try app("app\($0)")) }
            let outcomes = try await withThrowingTaskGroup(of: PolicyChangeOutcome.self) { group in
                for subject in subjects {
                    group.addTask { try await store.setPolicy(policy(6), of: subject, replacing: nil, by: .operator) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let revisions = outcomes.compactMap { outcome in
                if case .stored(let stored) = outcome { stored?.revision } else { nil }
            }
            #expect(Set(revisions).count == subjects.count)
        },

        StoreRequirement("A policy is replaced only if its revision is the one that the caller names") { store in
            let subject = PolicySubject.app(.default)
            guard
                case .stored(let first?) = try await store.setPolicy(
                    policy(6), of: subject, replacing: .first, by: .operator)
            else {
                Issue.record("not stored")
                return
            }
            for revision in [.first, first.revision.next] as [PolicyRevision] {
                for changed in [policy(8), Policy()] {
                    let outcome = try await store.setPolicy(changed, of: subject, replacing: revision, by: .operator)
                    #expect(outcome == .changed(first))
                }
            }
            let early = try await store.setPolicy(
                policy(8), of: .app(try app("other")), replacing: first.revision, by: .operator)
            #expect(early == .changed(nil))
            guard
                case .stored(let second?) = try await store.setPolicy(
                    policy(8), of: subject, replacing: first.revision, by: .operator)
            else {
                Issue.record("not stored")
                return
            }
            #expect(second.policy == policy(8) && second.revision > first.revision)
        },

        StoreRequirement("Of callers who replace the same revision at the same time, one changes the policy") { store in
            let subject = PolicySubject.app(.default)
            let lengths = 4...11
            var replaced = PolicyRevision.first
            for round in 1...20 {
                let revision = replaced
                let outcomes = try await withThrowingTaskGroup(of: PolicyChangeOutcome.self) { group in
                    for length in lengths {
                        group.addTask {
                            // All policies of two rounds in a row differ.
                            let policy = policy(length, round.isMultiple(of: 2) ? 12 : nil)
                            return try await store.setPolicy(policy, of: subject, replacing: revision, by: .operator)
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                let winner = try #require(try await store.policies(of: .default, and: nil).first)
                #expect(outcomes.count { $0 == .stored(winner) } == 1)
                #expect(outcomes.count { $0 == .changed(winner) } == lengths.count - 1)
                replaced = winner.revision
            }
            #expect(try await store.auditEntries(of: nil, before: nil, limit: 99).count == 20)
        },

        StoreRequirement("A repeated change of a policy gets the same answer and changes nothing") { store in
            let subject = PolicySubject.app(.default)
            let first = try await store.setPolicy(policy(6), of: subject, replacing: .first, by: .operator)
            try await TestTime.after(.seconds(9)) { () async throws in
                for revision in [nil, .first] as [PolicyRevision?] {
                    let again = try await store.setPolicy(policy(6), of: subject, replacing: revision, by: .backend)
                    #expect(again == first)
                }
            }
            let nothing = try await store.setPolicy(
                Policy(), of: .app(try app("other")), replacing: nil, by: .operator)
            #expect(nothing == .stored(nil))
            let events = try await store.auditEntries(of: nil, before: nil, limit: 9).map(\.event.kind)
            #expect(events == [.policyChanged])
        },

        StoreRequirement("A removed policy stays stored without members, with a new revision") { store in
            let alice = try Fixture.alice()
            _ = try await store.newCode(for: alice)
            guard
                case .stored(let first?) = try await store.setPolicy(
                    policy(6), of: .user(alice), replacing: nil, by: .operator),
                case .stored(let removed?) = try await store.setPolicy(
                    Policy(), of: .user(alice), replacing: first.revision, by: .operator)
            else {
                Issue.record("not stored")
                return
            }
            #expect(removed.policy.isEmpty && removed.revision > first.revision)
            #expect(try await store.policies(of: .default, and: alice) == [removed])
        },

        StoreRequirement("A user who does not exist gets no policy, and is not created") { store in
            let alice = try Fixture.alice()
            for policy in [policy(6), Policy()] {
                let outcome = try await store.setPolicy(policy, of: .user(alice), replacing: nil, by: .operator)
                #expect(outcome == .noSuchUser)
            }
            #expect(try await store.policies(of: .default, and: alice).isEmpty)
            #expect(try await store.user(alice) == nil)
        },

        StoreRequirement("The log names who changed which members of a policy") { store in
            let alice = try Fixture.alice()
            _ = try await store.newCode(for: alice)
            var second = policy(6)
            second.lockoutPolicy = .payment
            var revisions: [PolicyRevision] = []
            for (index, changed) in [policy(6), second, Policy()].enumerated() {
                try await TestTime.after(.seconds(1 + index)) { () async throws in
                    let outcome = try await store.setPolicy(changed, of: .user(alice), replacing: nil, by: .operator)
                    if case .stored(let stored?) = outcome { revisions.append(stored.revision) }
                }
            }
            try await TestTime.after(.seconds(9)) { () async throws in
                _ = try await store.setPolicy(policy(6), of: .app(.default), replacing: nil, by: .backend)
            }
            let entries = try await store.auditEntries(of: alice, before: nil, limit: 3).reversed().map(\.event)
            #expect(entries.map(\.kind) == [.policyChanged, .policyChanged, .policyRemoved])
            #expect(entries.map(\.policyMembers) == [[.pinLengths], [.lockoutPolicy], [.lockoutPolicy, .pinLengths]])
            #expect(entries.map(\.policyRevision) == revisions)
            #expect(entries.allSatisfy { $0.actor == .operator && $0.client == nil })
            let newest = try await store.auditEntries(of: nil, before: nil, limit: 1).map(\.event)
            #expect(newest.map(\.client) == [.default] && newest.map(\.actor) == [.backend])
            #expect(try await AuditSteps.findings(in: store).isEmpty)
        },
    ]

    private static func app(_ id: String) throws -> ClientID { try #require(ClientID(rawValue: id)) }

    /// A policy with PINs of this length.
    private static func policy(_ length: Int, _ longest: Int? = nil) -> Policy {
        var policy = Policy()
        policy.pinLengths = PolicyPinLengths(length...(longest ?? length))
        return policy
    }
}
