/// The reason why a bound device has no access: it cannot log in, refresh tokens, decide transactions or call the
/// routes of its user.
public enum DeviceStop: String, Codable, Hashable, Sendable, CaseIterable {
    /// An operator or the user blocked the device. This can be undone.
    case blocked
    /// The device was revoked for good.
    case revoked
    /// Another device of the same user replaced the device, for good.
    case replaced

    /// Returns nil for an active device. A permanent reason takes precedence over a reason that can be undone.
    package init?(isBlocked: Bool, isRevoked: Bool, isReplaced: Bool) {
        if isReplaced {
            self = .replaced
        } else if isRevoked {
            self = .revoked
        } else if isBlocked {
            self = .blocked
        } else {
            return nil
        }
    }
}

extension DeviceRecord {
    /// The reason why the device has no access; nil for an active device.
    public var stop: DeviceStop? {
        DeviceStop(isBlocked: block != nil, isRevoked: revokedAt != nil, isReplaced: replacedBy != nil)
    }
}
