import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Rules of policies")
struct PolicyRuleTests {
    @Test("The user's members replace the app's, whichever was read first, and the newer revision counts")
    func effective() throws {
        var (app, user) = (Policy(), Policy())
        app.pinLengths = PolicyPinLengths(6...8)
        app.hardware = .required
        user.pinLengths = PolicyPinLengths(8...8)
        let stored = try [
            stored(app, of: .app(.default), revision: 9), stored(user, of: .user(Fixture.alice()), revision: 7),
        ]
        #expect(EffectivePolicy([]) == nil)
        for both in [stored, stored.reversed()] {
            let effective = try #require(EffectivePolicy(both))
            #expect(effective.policy.pinLengths?.range == 8...8 && effective.policy.hardware == .required)
            #expect(effective.revision.rawValue == 9)
        }
        // A removal is a change too: devices must learn of it.
        let removed = try #require(
            EffectivePolicy([stored[0], self.stored(Policy(), of: stored[1].subject, revision: 11)]))
        #expect(removed.policy == app && removed.revision.rawValue == 11)
    }

    @Test("An operator's texts set and remove members, and what they show can be typed again")
    func texts() throws {
        var policy = Policy()
        let typed: [Policy.Member: String] = [
            .authenticators: "biometrics, pin", .hardware: " required ", .leastAppVersion: "2.10.1",
            .lockoutPolicy: "payment", .distinctDigits: "4", .pinLengths: "6-8", .pinTiers: "two_party chip",
        ]
        policy = try PolicyTexts(typed).applied(to: policy)
        #expect(policy.facts.map { $0.member } == Policy.Member.allCases)
        #expect(try PolicyTexts(of: policy).applied(to: Policy()) == policy)
        #expect(try PolicyTexts([.pinLengths: "8"]).applied(to: policy).pinLengths?.range == 8...8)
        #expect(try PolicyTexts([.pinLengths: " "]).applied(to: policy).pinLengths == nil)
        #expect(try PolicyTexts().applied(to: policy) == policy)
    }

    @Test(
        "A text that is no value of its member is refused with the member's rule",
        arguments: [
            (Policy.Member.authenticators, "biometrics"), (.authenticators, "passkey, pin"), (.hardware, "always"),
            (.leastAppVersion, "two"), (.lockoutPolicy, "login wallet"), (.distinctDigits, "1"), (.pinLengths, "3"),
            (.pinLengths, "8-6"), (.pinLengths, "6-"), (.pinLengths, "6-8-9"), (.pinLengths, "-6"),
            (.pinTiers, "cloud"),
        ])
    func refused(member: Policy.Member, text: String) {
        #expect {
            try PolicyTexts([member: text]).applied(to: Policy())
        } throws: { error in
            String(describing: error) == "\(member.rawValue) must be \(Policy.rule(of: member))."
        }
    }

    private func stored(_ policy: Policy, of subject: PolicySubject, revision: Int) throws -> StoredPolicy {
        StoredPolicy(
            subject: subject, policy: policy, revision: try #require(PolicyRevision(rawValue: revision)),
            changedAt: TestTime.current, changedBy: .operator)
    }
}
