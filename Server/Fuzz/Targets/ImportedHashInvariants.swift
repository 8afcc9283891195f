import Foundation
import NightlatchFuzzReference
import NightlatchRelyingParty

/// Invariant of a password hash of another system: exactly the texts are accepted that a regular expression and the
/// limits in `docs/operations.md` accept, and the parts in Base64 are read as Foundation reads them.
enum ImportedHashInvariants {
    static func check(_ input: [UInt8]) throws(FuzzFinding) -> Bool {
        guard let text = String(validating: input, as: UTF8.self) else { return false }
        let hash = try? ImportedPasswordHash(text)
        let form = form(of: text)
        try require(hash?.form == form, "\(hash?.form.rawValue ?? "refused") against the reference")
        guard let hash else { return false }
        try require(hash.text.utf8.elementsEqual(input), "another text")
        try require(!"\(hash)".contains("$"), "a description that contains the hash")
        return true
    }

    /// The form by the reference; nil for a text to refuse.
    private static func form(of text: String) -> ImportedPasswordHash.Form? {
        guard input(text, matches: "[!-~]{1,512}") else { return nil }
        let parts = text.components(separatedBy: "$")
        if input(text, matches: "\\$2[aby]\\$(0[4-9]|1[0-2])\\$[./A-Za-z0-9]{52}[.CGKOSWaeimquy26]") { return .bcrypt }
        if input(text, matches: "\\$argon2id\\$v=19\\$m=\(number),t=\(number),p=\(number)\\$[^$]+\\$[^$]+") {
            let costs = parts[3].components(separatedBy: ",").compactMap { Int($0.dropFirst(2)) }
            guard costs.count == 3, costs[0] >= 8 * costs[2], costs[0] <= 65_536, (1...64).contains(costs[1]),
                (1...16).contains(costs[2]), costs[0] * costs[1] <= 196_608,
                let salt = decode(parts[4], padded: false), let hash = decode(parts[5], padded: false),
                (8...64).contains(salt.count), (16...64).contains(hash.count)
            else { return nil }
            return .argon2id
        }
        let lengths = ["": 20, "-sha256": 32, "-sha512": 64, "_sha1": 20, "_sha256": 32]
        if input(text, matches: "\\$pbkdf2(-sha256|-sha512)?\\$\(number)\\$[^$+]+\\$[^$+]+") {
            guard let salt = decode(parts[3].replacing(".", with: "+"), padded: false), (1...64).contains(salt.count),
                isPBKDF2(
                    parts[1], iterations: parts[2], decode(parts[4].replacing(".", with: "+"), padded: false), lengths)
            else { return nil }
            return .pbkdf2
        }
        if input(text, matches: "pbkdf2_(sha1|sha256)\\$\(number)\\$[^$]{1,64}\\$[^$]+") {
            return isPBKDF2(parts[0], iterations: parts[1], decode(parts[3], padded: true), lengths) ? .pbkdf2 : nil
        }
        return nil
    }

    private static let number = "(0|[1-9][0-9]{0,9})"

    private static func isPBKDF2(
        _ name: String, iterations: String, _ hash: [UInt8]?, _ lengths: [String: Int]
    ) -> Bool {
        guard let count = Int(iterations), let hash else { return false }
        return (1...(name.hasSuffix("512") ? 400_000 : 1_000_000)).contains(count)
            && lengths[String(name.dropFirst("pbkdf2".count))] == hash.count
    }

    /// Reads Base64 by Foundation. A text that Foundation would write differently is refused.
    private static func decode(_ text: String, padded: Bool) -> [UInt8]? {
        let whole = padded ? text : text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard !padded && text.contains("=") == false || padded, let data = Data(base64Encoded: whole),
            data.base64EncodedString() == whole
        else { return nil }
        return Array(data)
    }

    private static func input(_ text: String, matches pattern: String) -> Bool {
        guard let regex = try? Regex(pattern) else { preconditionFailure("the pattern is a regular expression") }
        return text.unicodeScalars.allSatisfy(\.isASCII) && text.wholeMatch(of: regex) != nil
    }
}
