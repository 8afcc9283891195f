/// A single-use random value that a device signs to prove that its message is fresh.
///
/// The relying party makes its 32 bytes. They are unpredictable.
public typealias Challenge = Identifier<ChallengeRule>

public enum ChallengeRule: BinaryIdentifierRule {
    public static let name = "challenge"
    public static let byteCount = 32
}
