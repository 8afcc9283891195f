/// Why a bound device may do nothing: no login, no refresh, no decision, no route of its user's.
public enum DeviceBar: String, Codable, Hashable, Sendable, CaseIterable {
    /// For as long as nobody undoes it.
    case blocked
    /// For good.
    case revoked
    /// For good, because another device of the same user has taken its place.
    case replaced

    /// Nil if nothing is held against the device. What is for good outweighs what can be undone.
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

extension RegisteredDevice {
    /// Why it may do nothing; nil for an active device.
    public var bar: DeviceBar? {
        DeviceBar(isBlocked: block != nil, isRevoked: revokedAt != nil, isReplaced: replacedBy != nil)
    }
}
