import NightlatchFuzzReference
import NightlatchRelyingParty
import NightlatchWire

/// Invariants of an accepted token of an API key.
///
/// - A regular expression accepts it, so it has the prefix, an id and a secret of fixed lengths and nothing else.
/// - Its id is the text between the prefix and the secret.
/// - Nothing but its raw value shows the secret.
enum APITokenInvariants {
    static func check(_ input: [UInt8]) throws(FuzzFinding) -> Bool {
        guard let text = String(validating: input, as: UTF8.self), let token = APIToken(rawValue: text) else {
            return false
        }
        // The last character of 43 has two bits that encode nothing.
        let form = /nlk_([0-9a-f]{32})_([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])/
        let match = try unwrap(text.wholeMatch(of: form), "a token of another form")
        try require(text.unicodeScalars.allSatisfy(\.isASCII), "a character outside ASCII")
        try require(token.keyID.rawValue == match.1, "another id")
        try require(token.hash.bytes.count == 32, "a hash of another length")
        let shown = ["\(token)", String(reflecting: token), String(describing: Mirror(reflecting: token).children)]
        try require(!shown.contains { $0.contains(match.2) }, "the secret is shown")
        return true
    }
}
