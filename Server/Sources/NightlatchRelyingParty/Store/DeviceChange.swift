public import NightlatchWire

/// A change that a user or an operator makes to a device.
public enum DeviceChange: Hashable, Sendable {
    case rename(DeviceName)
    /// Blocks the device until it is unblocked, and revokes its refresh tokens. The sessions that it confirmed end. An
    /// operator's block replaces a user's.
    case block
    /// Unblocks the device. Only an operator can lift an operator's block.
    case unblock
    /// Revokes the device for good, and its refresh tokens. The sessions that it confirmed end.
    case revoke
}

extension DeviceRecord {
    /// Makes `change`. Every store applies this rule in the transaction that records the change.
    ///
    /// - Returns: The event for the audit log; nil if nothing changed, because the device was in that state already or
    ///   the rule does not allow the change.
    package mutating func apply(
        _ change: DeviceChange,
        by actor: ActingParty,
        at now: NumericDate
    ) -> AuditEvent.Kind? {
        switch change {
        case .rename(let name):
            // Compares bytes: Swift's `==` also accepts canonically equivalent texts with different code points.
            guard !name.rawValue.utf8.elementsEqual(self.name.rawValue.utf8) else { return nil }
            self.name = name
            return .deviceRenamed
        case .block:
            guard revokedAt == nil, block == nil || actor.kind == .operator && block?.actor != .operator else {
                return nil
            }
            block = DeviceBlock(at: now, by: actor.kind)
            return .deviceBlocked
        case .unblock:
            guard revokedAt == nil, let block, actor.kind == .operator || block.actor != .operator else { return nil }
            self.block = nil
            return .deviceUnblocked
        case .revoke:
            guard revokedAt == nil else { return nil }
            revokedAt = now
            return .deviceRevoked
        }
    }
}

extension DeviceRecord {
    /// Revokes the device for good because another device of the user replaces it.
    package mutating func replace(by successor: DeviceID, at now: NumericDate) {
        revokedAt = now
        replacedBy = successor
    }
}
