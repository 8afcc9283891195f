public import NightlatchWire

/// A device's binding as the vault stores it: the user, the relying party and the keys that sign.
public struct DeviceBinding: Codable, Hashable, Sendable {
    public let issuer: Issuer
    public let user: UserID
    public let device: DeviceID
    public let keys: BindingKeyTags
    /// The key with which the relying party signs policies and its answers about a two-party PIN. Nil if it gave no
    /// such key when the device was bound.
    public let answerKey: PublicJWK?

    private enum CodingKeys: String, CodingKey {
        case issuer, user, device, keys
        case answerKey = "answer_key"
    }
}
