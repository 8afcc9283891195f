/// Whether a new device replaces the user's other devices when it is bound.
public enum DevicePolicy: String, Hashable, Sendable, CaseIterable {
    /// The other devices stay, up to the ``ActiveDeviceLimit``.
    case many
    /// The new device replaces the others for good. Their refresh tokens are revoked.
    case one
}
