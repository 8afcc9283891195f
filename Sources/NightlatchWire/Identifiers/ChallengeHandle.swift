/// Server state of a ceremony (purpose, user, expiry), sealed by the relying party.
///
/// The client returns it unread. Only the relying party can open it.
public typealias ChallengeHandle = Identifier<ChallengeHandleRule>

public enum ChallengeHandleRule: IdentifierRule {
    public static let name = "challenge handle"
    public static let requirement = "the unchanged handle from the challenge"

    public static func accepts(_ text: String) -> Bool {
        (1...1024).contains(text.utf8.count) && Base64URL.isEncoding(text)
    }
}
