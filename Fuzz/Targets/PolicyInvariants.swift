import NightlatchFuzzReference
import NightlatchWire

/// Invariants of a policy that a device accepts.
///
/// - Each member has the value that the input contains, or is named as ignored.
/// - The relying party's decoder accepts the same policy exactly if nothing is ignored.
/// - Lengths of PINs are from 4 to 12, and the PIN is an allowed authenticator.
/// - Its JSON is at most 1 KiB, and reads back as the same policy.
enum PolicyInvariants {
    static func check(_ input: [UInt8]) throws(FuzzFinding) -> Bool {
        guard let received = try? StrictJSON.decode(ReceivedPolicy.self, from: input) else {
            try require((try? StrictJSON.decode(Policy.self, from: input)) == nil, "only the server accepts it")
            return false
        }
        let policy = received.policy
        let members = try unwrap(JSONObjectReference(input), "a policy that is no object")
        let strict = try? StrictJSON.decode(Policy.self, from: input)
        try require(strict == (received.ignoredMembers.isEmpty ? policy : nil), "the server reads another policy")
        try require(received.ignoredMembers == ignored(in: members), "ignored: \(received.ignoredMembers)")
        try require(policy.hardware?.rawValue == known(members.text("hardware"), HardwareDemand.self), "hardware")
        try require(
            policy.lockoutPolicy?.rawValue == known(members.text("lockout_policy"), LockoutPolicyName.self), "lockout")
        try require(policy.leastAppVersion?.rawValue == members.text("least_app_version"), "another version")
        try require(members.contains("pin_lengths") == (policy.pinLengths != nil), "lengths left out or made up")
        try require(members.contains("pin_distinct_digits") == (policy.distinctDigits != nil), "digits")
        if let range = policy.pinLengths?.range { try require((4...12).contains(range.upperBound), "\(range)") }
        if let range = policy.pinLengths?.range { try require((4...12).contains(range.lowerBound), "\(range)") }
        if let digits = policy.distinctDigits { try require((2...5).contains(digits.rawValue), "\(digits.rawValue)") }
        if let allowed = policy.authenticators { try require(allowed.values.contains(.pin), "no PIN") }
        let written = StrictJSON.bytes(of: policy)
        try require(written.count <= 1024, "\(written.count) bytes")
        let again = try unwrap(try? StrictJSON.decode(Policy.self, from: written), "it cannot be read again")
        try require(again == policy, "another when read again")
        return true
    }

    /// The names that this version does not know, in order.
    private static func ignored(in members: JSONObjectReference) -> [String] {
        let names = members.members.keys.map { String(decoding: $0, as: UTF16.self) }
        var ignored = names.filter { Policy.Member(rawValue: $0) == nil }
        for name in ["authenticators", "hardware", "lockout_policy", "pin_tiers"] {
            for token in members.members[Array(name.utf16)] ?? [] {
                guard case .string(let units) = token else { continue }
                let word = String(decoding: units, as: UTF16.self)
                if !isKnown(word, in: name) { ignored.append(name + "." + word) }
            }
        }
        return ignored.sorted()
    }

    private static func isKnown(_ word: String, in name: String) -> Bool {
        switch name {
        case "authenticators": PolicyAuthenticator(rawValue: word) != nil
        case "hardware": HardwareDemand(rawValue: word) != nil
        case "lockout_policy": LockoutPolicyName(rawValue: word) != nil
        default: PolicyPinTier(rawValue: word) != nil
        }
    }

    private static func known<Value: RawRepresentable<String>>(_ text: String?, _ type: Value.Type) -> String? {
        text.flatMap(Value.init)?.rawValue
    }
}
