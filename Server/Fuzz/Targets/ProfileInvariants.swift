import NightlatchFuzzReference
import NightlatchRelyingParty
import NightlatchWire

/// Invariants of an accepted profile of a user.
///
/// - Each value is the text that the input contains. Regular expressions accept the email address and the telephone
///   number. A name has no control character.
/// - Only an address is verified.
/// - Its JSON is at most 4 KiB, and reads back as the same profile.
enum ProfileInvariants {
    private static let atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
    private static let label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"

    static func check(_ input: [UInt8]) throws(FuzzFinding) -> Bool {
        guard let profile = try? StrictJSON.decode(UserProfile.self, from: input) else { return false }
        let members = try unwrap(JSONObjectReference(input), "a profile that is no object")
        let names: [(String, PersonName?)] = [
            ("name", profile.name), ("given_name", profile.givenName), ("family_name", profile.familyName),
        ]
        for (member, name) in names {
            try require(isSame(name?.rawValue, members.text(member)), "another \(member)")
            guard let name else { continue }
            try require((1...140).contains(name.rawValue.count), "a \(member) of \(name.rawValue.count) characters")
            let isShown = name.rawValue.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            try require(isShown, "a control character in \(member)")
        }
        try require(isSame(profile.email?.address.rawValue, members.text("email")), "another address")
        if let address = profile.email?.address.rawValue { try check(address: address) }
        let isVerified = members.tokens("email_verified") == [.literal("true")]
        try require(isVerified == (profile.email?.isVerified ?? false), "another verification")
        try require(isSame(profile.phoneNumber?.rawValue, members.text("phone_number")), "another number")
        if let number = profile.phoneNumber?.rawValue {
            try require(matches(number, "[+(0-9][0-9 ().+-]{1,30}[0-9]"), "no telephone number")
        }
        let written = StrictJSON.bytes(of: profile)
        try require(written.count <= 4096, "\(written.count) bytes")
        let again = try unwrap(
            try? StrictJSON.decode(UserProfile.self, from: written), "a profile that cannot be read again")
        try require(again == profile, "a profile that is another when read again")
        return true
    }

    private static func check(address: String) throws(FuzzFinding) {
        let local = address.prefix { $0 != "@" }
        try require(local.utf8.count <= 64 && address.utf8.count <= 254, "\(address.utf8.count) bytes of an address")
        try require(
            matches(address, "\(atom)(?:\\.\(atom))*@(?:\(label)\\.)+\(label)"), "no address")
    }

    private static func matches(_ text: String, _ pattern: String) -> Bool {
        guard let regex = try? Regex(pattern) else { preconditionFailure("the pattern is a regular expression") }
        return text.unicodeScalars.allSatisfy(\.isASCII) && text.wholeMatch(of: regex) != nil
    }

    private static func isSame(_ one: String?, _ other: String?) -> Bool {
        one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
    }
}
