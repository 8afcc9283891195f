public import NightlatchWire

/// What a vault knows of this device's binding: to whom, with which relying party, and which keys sign.
public struct DeviceBinding: Codable, Hashable, Sendable {
    public let issuer: Issuer
    public let user: UserID
    public let device: DeviceID
    public let keys: BindingKeyTags
    /// What the relying party signs its answers about a two-party PIN with, as it said when the device was bound. Nil if it said nothing.
    public let answerKey: PublicJWK?

    private enum CodingKeys: String, CodingKey {
        case issuer, user, device, keys
        case answerKey = "answer_key"
    }
}
