import NightlatchRelyingParty
import NightlatchWire

/// The values for the page of one policy: what it demands, who changed it, and the form that changes it.
struct PolicyFormContent: Sendable {
    let action: String
    let back: String
    let problem: String?
    let explanation: String
    let facts: [Fact]
    let changedAt: ShownTime?
    let changedBy: String?
    /// `app` or `user`.
    let kind: String
    let id: String
    /// The revision that the form replaces.
    let revision: String
    /// The revision as it is shown; nil if the policy was never set.
    let shownRevision: String?
    let members: [Field]
    /// Whether the operator may change the policy. Without that there is no form.
    let isChangeable: Bool
    let isReasonRequired = true

    /// An input of the form.
    struct Field: Sendable {
        let name: String
        let label: String
        let hint: String
        let value: String
        /// True if the form was refused because of this input.
        let isRefused: Bool
    }

    /// - Parameters:
    ///   - stored: The policy as it is stored; nil if it was never set.
    ///   - subject: The app or the user.
    ///   - texts: The texts of the inputs: those of the stored policy, or what an operator has sent.
    ///   - problem: The reason why the form was refused, and the input that it is about; nil for none.
    ///   - links: The addresses of the console's pages.
    ///   - isChangeable: Whether the operator may change the policy.
    init(
        _ stored: StoredPolicy?, of subject: PolicySubject, texts: PolicyTexts,
        problem: (text: String, member: Policy.Member?)?, links: ConsoleLinks, isChangeable: Bool
    ) {
        action = links.link(.subjectPolicy)
        self.isChangeable = isChangeable
        switch subject {
        case .app:
            back = links.link(.apps)
            explanation = "For all users of this app. A user’s own policy replaces it member by member."
        case .user(let user):
            back = links.user(user)
            explanation = "For this user, at all apps. Its members replace those of the app’s policy."
        }
        self.problem = problem?.text
        facts = stored?.policy.facts.map { Fact($0.member.label, $0.value) } ?? []
        changedAt = ShownTime(stored?.changedAt)
        changedBy = stored?.changedBy.rawValue
        kind = subject.kind
        id = subject.id
        revision = String((stored?.revision ?? .first).rawValue)
        shownRevision = stored.map { String($0.revision.rawValue) }
        members = Policy.Member.allCases.map { member in
            Field(
                name: member.rawValue, label: member.label,
                hint: "Empty for no demand, or " + Policy.rule(of: member) + ".", value: texts.texts[member] ?? "",
                isRefused: problem?.member == member)
        }
    }
}

extension Policy.Member {
    /// The name of the member for operators.
    var label: String {
        switch self {
        case .authenticators: "Authenticators"
        case .hardware: "Device key in hardware"
        case .leastAppVersion: "Oldest version of the app"
        case .lockoutPolicy: "Lockout policy"
        case .distinctDigits: "Different digits of a PIN"
        case .pinLengths: "Digits of a PIN"
        case .pinTiers: "Where a PIN is tested"
        }
    }
}
