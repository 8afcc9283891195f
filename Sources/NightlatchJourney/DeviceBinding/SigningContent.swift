internal import Nightlatch
internal import NightlatchWire

/// The content that a key is about to sign, for the user to read first. The user sees exactly this.
public struct SigningContent: Hashable, Sendable {
    /// The server's texts.
    public let prompt: Prompt
    /// The key that is to sign.
    public let key: UserKey
    /// The challenge's complete text. Nil for random bytes, which mean nothing to a user.
    public let text: String?
    /// The app's claims, in the order of their names.
    public let claims: [Claim]

    /// One claim of the app.
    public struct Claim: Hashable, Sendable {
        public let name: String
        /// A text unchanged, any other value as JSON.
        public let value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Creates any content, for tests of an app's screens.
    public init(prompt: Prompt, key: UserKey, text: String?, claims: [Claim]) {
        self.prompt = prompt
        self.key = key
        self.text = text
        self.claims = claims
    }
}

extension SigningContent {
    /// Creates the content. Returns nil if there is nothing for a user to read.
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

    /// Whether a challenge has the form of a random one: 32 bytes in Base64. No text for a user has this form.
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
