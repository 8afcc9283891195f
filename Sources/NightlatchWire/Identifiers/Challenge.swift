/// What a device signs to prove that its answer is fresh: 32 bytes from the relying party that nobody can predict, used once.
public typealias Challenge = Identifier<ChallengeRule>

public enum ChallengeRule: BinaryIdentifierRule {
    public static let name = "challenge"
    public static let byteCount = 32
}
