internal import Nightlatch
internal import NightlatchWire

/// What a key is about to sign, as a person must read it before: what you see is what you sign.
public struct SigningContent: Hashable, Sendable {
    /// The server's words.
    public let prompt: Prompt
    /// Whose key is to sign.
    public let key: UserKey
    /// The journey's text, every character of it; nil for random bytes, which say nothing to a person.
    public let text: String?
    /// What the app has signed along, in the order of names.
    public let claims: [Claim]

    /// Something that the app has signed along.
    public struct Claim: Hashable, Sendable {
        public let name: String
        /// A text as it is, all else as JSON.
        public let value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Any content, as a test of an app's own screen needs it.
    public init(prompt: Prompt, key: UserKey, text: String?, claims: [Claim]) {
        self.prompt = prompt
        self.key = key
        self.text = text
        self.claims = claims
    }
}

extension SigningContent {
    /// Nil if there is nothing for a person to read.
    init?(_ challenge: String, _ claims: CustomClaims, prompt: Prompt, key: UserKeyEntry) {
        let members = claims.members.members
        guard !Self.isRandom(challenge) || !members.isEmpty else { return nil }
        self.init(
            prompt: prompt, key: UserKey(key), text: Self.isRandom(challenge) ? nil : challenge,
            claims: members.map { member in
                Claim(
                    name: member.name,
                    value: member.value.string ?? String(decoding: member.value.bytes, as: UTF8.self))
            })
    }

    /// Whether a challenge has the form of random ones: 32 bytes in Base64. No text that a person is to understand looks so.
    private static func isRandom(_ challenge: String) -> Bool {
        let digits = challenge.utf8.dropLast()
        return challenge.utf8.count == 44 && challenge.utf8.last == UInt8(ascii: "=")
            && digits.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                    true
                default: false
                }
            }
    }
}
