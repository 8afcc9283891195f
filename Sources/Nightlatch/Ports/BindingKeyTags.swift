/// The tags of the two keys of a binding.
public struct BindingKeyTags: Codable, Hashable, Sendable {
    /// The tag of the device key, which answers challenges. It signs only while the vault is open.
    public let deviceKey: KeyTag
    /// The tag of the possession key, which proves possession with each request. It needs no prompt.
    public let possessionKey: KeyTag

    private enum CodingKeys: String, CodingKey {
        case deviceKey = "device_key"
        case possessionKey = "possession_key"
    }
}
