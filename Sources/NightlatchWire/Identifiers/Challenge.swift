/// What a device signs to prove that its answer is fresh: 32 random bytes from the relying party, used once.
public typealias Challenge = Identifier<ChallengeRule>

public enum ChallengeRule: BinaryIdentifierRule {
    public static let name = "challenge"
    public static let byteCount = 32
}
