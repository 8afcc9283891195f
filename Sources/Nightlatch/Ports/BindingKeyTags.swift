/// Under which tags the two keys of a binding are kept.
public struct BindingKeyTags: Codable, Hashable, Sendable {
    /// The key that answers challenges. It signs only while the vault is open.
    public let deviceKey: KeyTag
    /// The key that proves possession with each request. It needs no prompt.
    public let possessionKey: KeyTag

    private enum CodingKeys: String, CodingKey {
        case deviceKey = "device_key"
        case possessionKey = "possession_key"
    }
}
