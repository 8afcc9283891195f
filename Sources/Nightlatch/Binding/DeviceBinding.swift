public import NightlatchWire

/// What a vault knows of this device's binding: to whom, with which relying party, and which keys sign.
public struct DeviceBinding: Codable, Hashable, Sendable {
    public let issuer: Issuer
    public let user: UserID
    public let device: DeviceID
    public let keys: BindingKeyTags
}
