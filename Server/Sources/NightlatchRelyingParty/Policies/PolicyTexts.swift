package import NightlatchWire

/// The members of a policy as an operator types them. A member without a text is not changed, and an empty text removes
/// the member.
package struct PolicyTexts: Sendable {
    package var texts: [Policy.Member: String]

    package init(_ texts: [Policy.Member: String] = [:]) { self.texts = texts }

    /// The texts that give `policy`, one for each member. The text of a member that `policy` lacks is empty.
    package init(of policy: Policy) {
        texts = Dictionary(uniqueKeysWithValues: Policy.Member.allCases.map { ($0, "") })
        for (member, value) in policy.facts { texts[member] = value }
    }

    /// The reason why a text is no value of its member, as a sentence.
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        package let member: Policy.Member

        package var description: String { "\(member.rawValue) must be \(Policy.rule(of: member))." }

        fileprivate init(_ member: Policy.Member) { self.member = member }
    }

    /// Returns `policy` with the members of these texts.
    package func applied(to policy: Policy) throws(Fault) -> Policy {
        var policy = policy
        // In the order of the names, so that the same texts have the same fault.
        for member in Policy.Member.allCases {
            guard let text = texts[member] else { continue }
            let words = text.split { $0 == "," || $0.isWhitespace }.map(String.init)
            switch member {
            case .authenticators: policy.authenticators = try Self.choice(words, of: member)
            case .hardware: policy.hardware = try Self.word(words, of: member, HardwareDemand.init)
            case .leastAppVersion: policy.leastAppVersion = try Self.word(words, of: member, AppVersion.init)
            case .lockoutPolicy: policy.lockoutPolicy = try Self.word(words, of: member, LockoutPolicyName.init)
            case .distinctDigits:
                policy.distinctDigits = try Self.word(words, of: member) { word in
                    Int(word).flatMap(PolicyDistinctDigits.init)
                }
            case .pinLengths: policy.pinLengths = try Self.word(words, of: member, Self.lengths)
            case .pinTiers: policy.pinTiers = try Self.choice(words, of: member)
            }
        }
        return policy
    }

    private static func word<Value>(
        _ words: [String], of member: Policy.Member, _ read: (String) -> Value?
    ) throws(Fault) -> Value? {
        guard let word = words.first else { return nil }
        guard words.count == 1, let value = read(word) else { throw Fault(member) }
        return value
    }

    private static func choice<Value: PolicyChoiceValue>(
        _ words: [String], of member: Policy.Member
    ) throws(Fault) -> PolicyChoice<Value>? {
        if words.isEmpty { return nil }
        let values = words.compactMap(Value.init)
        guard values.count == words.count, let choice = PolicyChoice(Set(values)) else { throw Fault(member) }
        return choice
    }

    /// Reads one length, or two with a hyphen between them.
    private static func lengths(_ text: String) -> PolicyPinLengths? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(parts.count), let least = parts[0], let most = parts[parts.count - 1], least <= most
        else { return nil }
        return PolicyPinLengths(least...most)
    }
}

extension Policy {
    /// The values of a member, in words that follow "must be".
    package static func rule(of member: Member) -> String {
        switch member {
        case .authenticators: "pin, or pin and biometrics"
        case .hardware: names(HardwareDemand.allCases)
        case .leastAppVersion: "1 to 4 numbers of at most 9 digits, joined by dots"
        case .lockoutPolicy: names(LockoutPolicyName.allCases)
        case .distinctDigits: "a number from 2 to 5"
        case .pinLengths: "a number from 4 to 12, or two of them with a hyphen between them, such as 6-8"
        case .pinTiers: "one or more of \(names(PolicyPinTier.allCases))"
        }
    }

    private static func names<Value: RawRepresentable<String>>(_ values: [Value]) -> String {
        let names = values.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
    }
}
