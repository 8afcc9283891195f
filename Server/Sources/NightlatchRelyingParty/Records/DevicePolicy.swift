/// What becomes of the devices that a user has when another one is bound.
public enum DevicePolicy: String, Hashable, Sendable, CaseIterable {
    /// They stay: a user may have as many as the ``ActiveDeviceLimit`` says.
    case many
    /// The new one takes their place. They are barred for good, with their refresh tokens.
    case one
}
