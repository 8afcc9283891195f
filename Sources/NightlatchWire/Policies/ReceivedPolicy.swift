/// A policy as a device reads it, perhaps from a newer relying party than the device's library knows.
///
/// Members and values with unknown names are ignored, and named in ``ignoredMembers``. Anything else that breaks a rule
/// makes the whole policy invalid.
public struct ReceivedPolicy: Decodable, Hashable, Sendable {
    public let policy: Policy
    /// The members that this version does not know, such as `pin_history`, and the values that it does not know, such
    /// as `authenticators.passkey`. In the order of their names.
    public let ignoredMembers: [String]

    /// The largest number of members of a policy, and of values of a member.
    static let countLimit = 32

    public init(from decoder: any Decoder) throws {
        var reading = Reading(try JSONObjectReader(decoder))
        let names = reading.members.names
        guard names.count <= Self.countLimit else {
            throw reading.members.broken(nil, "must have at most \(Self.countLimit) members")
        }
        for name in names {
            guard Self.isName(name) else {
                throw reading.members.broken(nil, "must have members with names of a-z, 0-9 and _")
            }
            guard let member = Policy.Member(rawValue: name) else {
                reading.ignored.append(name)
                continue
            }
            try reading.read(member)
        }
        policy = reading.policy
        ignoredMembers = reading.ignored.sorted()
    }

    /// Whether a text can be the name of a member or of a value, in this version or a later one.
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.hasOnly { $0.match("a"..."z") | $0.match("0"..."9") | $0.match("_") }
    }

    private struct Reading {
        let members: JSONObjectReader
        var policy = Policy()
        var ignored: [String] = []

        init(_ members: JSONObjectReader) { self.members = members }

        mutating func read(_ member: Policy.Member) throws {
            let name = member.rawValue
            switch member {
            case .authenticators: policy.authenticators = try choice(name)
            case .hardware: policy.hardware = try word(name)
            case .leastAppVersion: policy.leastAppVersion = try members.value(name, as: AppVersion.self)
            case .lockoutPolicy: policy.lockoutPolicy = try word(name)
            case .distinctDigits: policy.distinctDigits = try members.value(name, as: PolicyDistinctDigits.self)
            case .pinLengths: policy.pinLengths = try members.value(name, as: PolicyPinLengths.self)
            case .pinTiers: policy.pinTiers = try choice(name)
            }
        }

        private mutating func word<Value: RawRepresentable<String>>(_ name: String) throws -> Value? {
            let text: String = try members.value(name)
            guard ReceivedPolicy.isName(text) else { throw members.broken(name, "must be a word of a-z, 0-9 and _") }
            if let value = Value(rawValue: text) { return value }
            ignored.append(name + "." + text)
            return nil
        }

        private mutating func choice<Value: PolicyChoiceValue>(_ name: String) throws -> PolicyChoice<Value>? {
            let texts = try members.value(name, as: [String].self)
            guard (1...ReceivedPolicy.countLimit).contains(texts.count), Set(texts).count == texts.count,
                texts.allSatisfy(ReceivedPolicy.isName)
            else {
                throw members.broken(name, "must be a list of different words of a-z, 0-9 and _")
            }
            var values: Set<Value> = []
            for text in texts {
                if let value = Value(rawValue: text) {
                    values.insert(value)
                } else {
                    ignored.append(name + "." + text)
                }
            }
            guard values.isSuperset(of: Value.required) else {
                let required = Value.required.map(\.rawValue).sorted().joined(separator: ", ")
                throw members.broken(name, "must contain \(required)")
            }
            return PolicyChoice(values)
        }
    }
}

extension Policy: Codable {
    /// Refuses a member or a value with an unknown name, as a relying party does. A device reads ``ReceivedPolicy``.
    public init(from decoder: any Decoder) throws {
        let received = try ReceivedPolicy(from: decoder)
        if let name = received.ignoredMembers.first {
            throw try JSONObjectReader(decoder).broken(name, "is not known")
        }
        self = received.policy
    }

    /// Writes the members in the order of their names.
    public func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        if let authenticators { try members.add(Member.authenticators.rawValue, authenticators.names) }
        if let hardware { try members.add(Member.hardware.rawValue, hardware.rawValue) }
        if let leastAppVersion { try members.add(Member.leastAppVersion.rawValue, leastAppVersion.rawValue) }
        if let lockoutPolicy { try members.add(Member.lockoutPolicy.rawValue, lockoutPolicy.rawValue) }
        if let distinctDigits { try members.add(Member.distinctDigits.rawValue, distinctDigits.rawValue) }
        if let pinLengths { try members.add(Member.pinLengths.rawValue, pinLengths) }
        if let pinTiers { try members.add(Member.pinTiers.rawValue, pinTiers.names) }
    }
}
